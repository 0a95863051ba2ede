import { Button } from '@/components/ui/button';
import { DecisionMark } from '@/components/ui/decision-mark';
import { Digest } from '@/components/ui/digest';
import { Icon } from '@/components/ui/icon';
import { Ring } from '@/components/ui/ring';
import { DecisionBar } from '@/components/layout/decision-bar';
import type { ApprovalDetail } from '@/lib/contracts/console/approvals';
import { formatClock } from '@/lib/client/format-time';

import type { Standing } from './standing';

interface ApprovalBarProps {
  readonly detail: ApprovalDetail;
  readonly standing: Standing;
  readonly checksLeft: string | undefined;
  readonly live: boolean;
  readonly onApprove: () => void;
  readonly onDeny: () => void;
  readonly onAsk: () => void;
  /** Left out: this viewer, in this browser, cannot. */
  readonly onEdit: (() => void) | undefined;
  readonly onWithdraw: () => void;
  readonly withdrawing: boolean;
}

/** What would be signed, and the ways to decide: denying quick, approving deliberate; or to ask or edit first. */
export function ApprovalBar({ detail, standing, checksLeft, live, onApprove, onDeny, onAsk, onEdit, onWithdraw, withdrawing }: ApprovalBarProps) {
  const { held, quorum, viewer } = detail;
  const may = standing.kind === 'ready' || standing.kind === 'no_key';
  return (
    <DecisionBar
      mark={<Ring signed={quorum.given} of={quorum.needed} large wordless />}
      statement={may
        ? <>You would sign <Digest value={detail.basis_digest} length="short" algorithm="sha256" />{standing.kind === 'ready' && checksLeft === undefined ? <> <button type="button" className="link nowrap" onClick={onApprove}>Read statement</button></> : null}</>
        : <b>{standing.words}</b>}
      covers={may
        ? `Covers ${held.transformed === null ? 'the action' : 'a′'}, policy r${held.policy.revision}, the evidence above and the ${formatClock(Date.parse(detail.expires_at), 'UTC')} UTC deadline.`
        : standing.why}
    >
      {viewer.may_withdraw ? <Button onClick={onWithdraw} offBecause={withdrawing ? 'Withdrawing' : undefined}>Withdraw</Button> : null}
      {viewer.may_ask ? <Button hint="Q" onClick={onAsk}>Ask back</Button> : null}
      {onEdit ? <Button hint="E" onClick={onEdit}>Edit</Button> : null}
      {viewer.may_deny ? <Button kind="deny" hint="D" onClick={onDeny} icon={<DecisionMark decision="DENY" label={null} />}>Deny</Button> : null}
      {may ? (
        <Button
          kind="primary" hint="A" onClick={onApprove} icon={<Icon name="key" />}
          gatedBy={standing.kind === 'no_key' ? 'No key here' : checksLeft}
          offBecause={live ? undefined : 'Reconnecting'}
        >
          Approve and sign
        </Button>
      ) : null}
    </DecisionBar>
  );
}
