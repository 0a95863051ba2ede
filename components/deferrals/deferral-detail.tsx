import Link from 'next/link';

import { Band } from '@/components/ui/band';
import { Countdown } from '@/components/ui/countdown';
import { CopyButton } from '@/components/ui/copy-button';
import { DecisionChip } from '@/components/ui/decision-chip';
import { IdentityChain } from '@/components/ui/identity-chain';
import { PersonQuote } from '@/components/ui/quote';
import { Risk } from '@/components/ui/risk';
import { Section } from '@/components/ui/section';
import { Time } from '@/components/ui/time';
import { UntrustedText } from '@/components/ui/untrusted-text';
import { DetailPane, ItemHead } from '@/components/layout/two-pane';
import { counted } from '@/lib/approvals/view-text';
import type { PersonId } from '@/lib/shared/ids';
import type { DeferralItem, WaitingAction } from '@/lib/contracts/console/deferrals';

import { DeferralEvidence } from './deferral-evidence';
import { MissingFacts } from './missing-facts';
import { WaitingLine } from './waiting-line';

export const zeroWords: { readonly [T in DeferralItem['at_timeout']]: string } = { DENY: 'denied', STEP_UP: 'put before a person' };

interface DeferralDetailProps {
  readonly item: DeferralItem;
  readonly person: PersonId;
  readonly offsetMs: number;
  readonly live: boolean;
  /** Where the list shows another action that waits; null: it does not. */
  readonly linkOf: (action: WaitingAction['action']) => string | null;
}

/** One deferred action: the facts that are missing, who can supply each, and what stands before and behind it. */
export function DeferralDetail({ item, person, offsetMs, live, linkOf }: DeferralDetailProps) {
  return (
    <DetailPane
      labelledBy="deferral-title"
      head={
        <ItemHead
          back={{ href: '/deferrals', label: 'Deferred' }}
          tags={<><DecisionChip decision="DEFER" variant="chip" /><Risk level={item.impact} suffix="impact" /><span className="t3">Deferred <Time at={item.deferred_at} form="clock" /></span></>}
          titleId="deferral-title"
          title={<code>{item.title}</code>}
          summary={summaryOf(item)}
          clock={<Countdown deadline={item.expires_at} since={item.deferred_at} atZero={zeroWords[item.at_timeout]} offsetMs={offsetMs} live={live} />}
        />
      }
      side={
        <>
          <Section title="On whose behalf">
            <IdentityChain links={[
              { key: 'human', icon: 'person', name: <UntrustedText text={item.human} /> },
              { key: 'agent', icon: 'agent', name: <UntrustedText text={item.agent} />, exact: true },
              { key: 'session', icon: 'session', name: `${item.session.slice(0, 12)}…`, exact: true },
            ]} />
          </Section>
          <Section title="Why it waits">
            <p className="meta2">{item.rules.length === 0 ? 'No rule asks for it: an earlier action of its session has to end first.' : <>{item.rules.length === 1 ? 'Rule' : 'Rules'} {item.rules.map((rule) => <code key={rule}>{rule} </code>)}</>}</p>
            <p className="meta2">Action <code>{item.action}</code><CopyButton value={item.action} what="action id" /></p>
          </Section>
          <p className="zero"><b>At zero:</b> {zeroWords[item.at_timeout]}. {item.at_timeout === 'DENY' ? <>The agent gets <code>deferral_expired</code>, nothing runs, a receipt is written.</> : 'Its rule names people for that; when they do not answer either, it is denied.'}</p>
        </>
      }
    >
      {item.question === null ? null : <Section title="Asked back"><PersonQuote by={item.question.by_name} standing={<Time at={item.deferred_at} form="clock" />} note="instead of deciding" text={item.question.text} /></Section>}
      {item.approval === null ? (
        <Band icon="clock" title="Nothing to approve." role="note">
          {item.question !== null ? 'Once it is answered the action is decided again, and people are asked anew' : item.missing.length === 0 ? 'Once what is ahead of it has ended it is decided again' : 'Whoever supplies the last fact has it decided again'}, by the policy of that moment. Time alone never allows it.
        </Band>
      ) : (
        <Band icon="person" title="Rules of the same priority disagree." role="note" action={<Link className="link" href={`/approvals?item=${item.approval}`}>Open the request</Link>}>
          The approvers of the stricter one decide it.
        </Band>
      )}
      {item.missing.length === 0 ? null : <MissingFacts item={item} person={person} />}
      <WaitingLine waitsFor={item.waits_for} blocks={item.blocks} linkOf={linkOf} />
      <DeferralEvidence item={item} />
    </DetailPane>
  );
}

function summaryOf({ approval, missing, waits_for, question }: DeferralItem): string {
  if (question !== null) return `It waits for an answer to what ${question.by_name} asked back.`;
  if (approval !== null) return 'Rules of the policy disagree about it, so it waits for a person.';
  const behind = waits_for.length === 0 ? '' : `It waits behind ${counted(waits_for.length, 'action')} of its session.`;
  if (missing.length === 0) return behind === '' ? 'It is about to be decided again.' : behind;
  return `Policy can’t judge this yet: ${counted(missing.length, 'fact')} that it reads ${missing.length === 1 ? 'is' : 'are'} missing. ${behind}`.trim();
}
