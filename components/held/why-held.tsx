import { FactsList } from '@/components/ui/facts-list';
import { Section } from '@/components/ui/section';
import { Trace, type TraceRow } from '@/components/ui/trace';
import { UntrustedText } from '@/components/ui/untrusted-text';
import type { HeldAction, HeldRule } from '@/lib/approvals/held-action';
import { neededQuorum } from '@/lib/approvals/needed-quorum';
import { counted } from '@/lib/approvals/view-text';
import { formatUtc } from '@/lib/client/format-time';

import { shownValue } from './shown-value';

/** The rules that decided, with the values they read, and what came of them. */
export function WhyHeld({ held }: { readonly held: HeldAction }) {
  const { approvers, policy } = held;
  const groups = approvers.groups.join(approvers.all_groups ? ' and ' : ' or ');
  return (
    <Section title="Why it was held" note={`Policy r${policy.revision} · ${counted(held.rules.length, 'rule')} decided`}>
      <Trace
        caption="Rules that decided, in order"
        rows={held.rules.map((rule, index) => ({
          at: index + 1,
          rule: rule.id,
          why: <RuleReason rule={rule} />,
          effect: effectOf(rule, held),
          decision: rule.action,
        }))}
        result={{
          decision: 'STEP_UP',
          words: <>Run {held.transformed === null ? 'it' : <code className="prime">a′</code>} only with {counted(neededQuorum(held), 'signature')} of {groups} before {formatUtc(Date.parse(held.expires_at))}</>,
        }}
      />
      <FactsList
        facts={[
          { label: 'Confidence', value: held.confidence },
          { label: 'Evaluability', value: held.evaluability === null ? 'unknown' : (held.evaluability / 1000).toFixed(2) },
          { label: 'Separation of duties', value: approvers.separation ? 'holds' : 'switched off by the signed policy', ...(approvers.separation ? {} : { tone: 'warn' as const }) },
        ]}
      />
    </Section>
  );
}

/** A rule that may change values and changed none did not decide either. */
function effectOf(rule: HeldRule, { transformed }: HeldAction): TraceRow['effect'] {
  if (rule.action === 'ALLOW') return 'idle';
  if (rule.action !== 'MODIFY') return 'fired';
  return transformed?.changes.some((change) => change.rule === rule.id) === true ? 'shaped' : 'idle';
}

function RuleReason({ rule }: { readonly rule: HeldRule }) {
  return (
    <>
      <UntrustedText text={rule.reason} />
      {rule.read.length === 0 ? null : (
        <span className="meta block">read {rule.read.map(({ field, value }, index) => (
          <span key={field}>{index === 0 ? '' : ', '}<code><UntrustedText text={`${field} = ${shownValue(value)}`} /></code></span>
        ))}</span>
      )}
    </>
  );
}
