import Link from 'next/link';

import { DecisionMark } from '@/components/ui/decision-mark';
import { Section } from '@/components/ui/section';
import { UntrustedText } from '@/components/ui/untrusted-text';
import type { WaitingAction } from '@/lib/contracts/console/deferrals';
import { counted } from '@/lib/approvals/view-text';

interface WaitingLineProps {
  readonly waitsFor: readonly WaitingAction[];
  readonly blocks: readonly WaitingAction[];
  /** The deferral of an action, when it is in the list too. */
  readonly linkOf: (action: WaitingAction['action']) => string | null;
}

/** What has to end before this action, and what goes on or ends with it. */
export function WaitingLine({ waitsFor, blocks, linkOf }: WaitingLineProps) {
  if (waitsFor.length === 0 && blocks.length === 0) return null;
  return (
    <>
      {waitsFor.length === 0 ? null : (
        <Section title="What it waits behind" note={counted(waitsFor.length, 'action')}>
          <ul className="waiting-line">{waitsFor.map((action) => <Waiting key={action.action} action={action} link={linkOf(action.action)} />)}</ul>
        </Section>
      )}
      {blocks.length === 0 ? null : (
        <Section title="What waits on it" note={`${counted(blocks.length, 'action')}. A denial here ends what depends on it.`}>
          <ul className="waiting-line">{blocks.map((action) => <Waiting key={action.action} action={action} link={linkOf(action.action)} />)}</ul>
        </Section>
      )}
    </>
  );
}

function Waiting({ action: { action, title, state }, link }: { readonly action: WaitingAction; readonly link: string | null }) {
  const name = <code><UntrustedText text={title} /></code>;
  return (
    <li>
      {state === 'held' ? <DecisionMark decision="STEP_UP" label="Held" /> : state === 'deferred' ? <DecisionMark decision="DEFER" label="Deferred" /> : <DecisionMark decision="ALLOW" label="Permitted" />}
      <span>{link === null ? name : <Link className="link" href={link}>{name}</Link>} <span className="t3">{words[state] ?? state}, <code>{action.slice(0, 12)}…</code></span></span>
    </li>
  );
}

const words: Readonly<Record<string, string>> = { held: 'held for a person', deferred: 'deferred', permitted: 'permitted, not run yet', redeemed: 'running' };
