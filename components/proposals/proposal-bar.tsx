import { Button } from '@/components/ui/button';
import { DecisionMark } from '@/components/ui/decision-mark';
import { Digest } from '@/components/ui/digest';
import { Icon } from '@/components/ui/icon';
import { Ring } from '@/components/ui/ring';
import { Time } from '@/components/ui/time';
import { DecisionBar } from '@/components/layout/decision-bar';
import type { ProposalDetail } from '@/lib/contracts/console/proposals';

import { isStale, proposalName } from './proposal-words';

interface ProposalBarProps {
  readonly detail: ProposalDetail;
  readonly busy: string | undefined;
  readonly onSign: () => void;
  readonly onReject: () => void;
  readonly onWithdraw: () => void;
  readonly onApply: () => void;
}

/** What would come into force, and what may be done about it. */
export function ProposalBar({ detail, busy, onSign, onReject, onWithdraw, onApply }: ProposalBarProps) {
  const { may, signed, needed, base, digest } = detail;
  const left = Math.max(0, needed - signed);
  return (
    <DecisionBar
      mark={<Ring signed={Math.min(signed, needed)} of={needed} large wordless />}
      statement={<><b>{proposalName(detail)}</b> would become {detail.target === 'policy' ? `r${String((base?.revision ?? 0) + 1)}` : 'a grant'} <Digest value={digest} length="short" algorithm="sha256" /></>}
      covers={coversWords(detail)}
    >
      {may.withdraw ? <Button onClick={onWithdraw} offBecause={busy}>Withdraw</Button> : null}
      {may.reject ? <Button kind="deny" hint="R" onClick={onReject} icon={<DecisionMark decision="DENY" label={null} />}>Reject</Button> : null}
      {may.apply && left === 0 ? <Button kind="primary" onClick={onApply} offBecause={busy} gatedBy={detail.applies_from === null ? undefined : 'Its cool-off runs'}>{detail.target === 'grant' ? 'Give it' : 'Bring into force'}</Button> : null}
      {may.sign ? <Button kind="primary" hint="S" onClick={onSign} offBecause={busy} icon={<Icon name="key" />}>Sign {String(Math.min(signed + 1, needed))} of {String(needed)}</Button> : null}
    </DecisionBar>
  );
}

function coversWords(detail: ProposalDetail) {
  const { needed, maker, change, applicable, applies_from: from, signed_by_me: mine } = detail;
  if (isStale(detail) && detail.target === 'grant') return 'The end that it asks for has passed, so nobody can sign it.';
  if (isStale(detail)) return 'It is stale: rebase it, and look at it again.';
  if (change === null) return 'Nobody can sign before it is proved.';
  if (applicable === false) return 'It is red, so nobody can sign it.';
  if (detail.rests_on === 'proposal') return 'It follows another proposal: sign both in order, or this one when that one is in force.';
  if (from !== null) return <>Signed. It may come into force from <Time at={from} form="date" /> on; until then it may be rejected.</>;
  const who = needed < 2 ? 'One owner signs.' : `${String(needed)} owners sign, each with their own key.`;
  const counts = maker.kind === 'agent' ? ' An agent’s proposal counts for none.' : needed < 2 ? '' : ' Whoever proposed it counts for none.';
  return `${mine ? 'You have signed. ' : ''}${who}${counts}`;
}
