import { ActionDiff } from '@/components/ui/action-diff';
import { parameterText } from '@/components/ui/parameter-text';
import { Section } from '@/components/ui/section';
import { UntrustedText } from '@/components/ui/untrusted-text';
import type { HeldAction } from '@/lib/approvals/held-action';
import { counted } from '@/lib/approvals/view-text';

import { isNewValue } from './is-new-value';
import { shownValue } from './shown-value';

/** a, and a′ beside it when policy changed something; each change with the rule that made it. */
export function WhatWouldRun({ held, pending }: { readonly held: HeldAction; readonly pending: boolean }) {
  const { action, transformed, edited } = held;
  const note = transformed === null
    ? pending ? 'You approve exactly this. Policy changed nothing.' : 'Policy changed nothing.'
    : pending ? <>You approve <code className="prime">a′</code>.</> : <>The decision was about <code className="prime">a′</code>.</>;
  return (
    <Section title="What would run" note={note}>
      <ActionDiff
        {...(edited ? { names: ['a″', 'a′'] as const, beforeTitle: `Edited by ${edited.name}` } : {})}
        before={parameterText(action.parameters)}
        after={transformed === null ? null : parameterText(transformed.parameters)}
        {...(transformed === null ? {} : { change: `${counted(transformed.changes.length, 'value')} changed` })}
      />
      {transformed === null ? null : (
        <ul className="meta2">
          {transformed.changes.map((change) => (
            <li key={`${change.rule} ${change.path}`}>
              Rule <code>{change.rule}</code> {isNewValue(action.parameters, change)
                ? <>added <code><UntrustedText text={change.path} /></code>: <code><UntrustedText text={shownValue(change.to)} /></code></>
                : <>changed <code><UntrustedText text={change.path} /></code> from <code><UntrustedText text={shownValue(change.from)} /></code> to <code><UntrustedText text={shownValue(change.to)} /></code></>}.
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}
