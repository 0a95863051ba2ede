import { canonicalJson } from '@/lib/shared/canonical-json';

import type { HeldAction } from './held-action';
import { measured, measuredCount, measuredReversible } from './measured';
import { counted, ours, untrusted, type TextPart, type ViewText } from './view-text';

/** Sentences about what would happen, from measured facts and the action's own form; never from what the agent says. */
export const factsOf = (held: HeldAction): readonly ViewText[] =>
  [headline(held), reach(held), undo(held), cost(held), change(held)].filter((sentence) => sentence.length > 0);

function headline(held: HeldAction): ViewText {
  const target = held.arguments.find(({ role }) => role === 'target');
  return [
    untrusted(held.identity.agent),
    ours(' asks, for '),
    untrusted(held.identity.human),
    ours(`, to run ${held.action.tool}.${held.action.operation}`),
    ...(target ? [ours(' on '), untrusted(typeof target.value === 'string' ? target.value : canonicalJson(target.value))] : []),
    ours('.'),
  ];
}

function reach(held: HeldAction): ViewText {
  const count = measuredCount(held);
  if (count !== undefined) return [ours(`It would touch ${counted(count, 'item')}, as `), ...sourceOf(held, 'effect.count'), ours('.')];
  if (held.recipients.length > 0) {
    const outside = held.recipients.filter(({ standing }) => standing !== 'internal').length;
    return [ours(`It would go to ${counted(held.recipients.length, 'recipient')}, ${outside === 0 ? 'all internal' : `${outside} not known as internal`}.`)];
  }
  return held.effect === 'read' ? [] : [ours('How many items it would touch is not known.')];
}

function undo(held: HeldAction): ViewText {
  const reversible = measuredReversible(held);
  if (reversible !== undefined) return [ours(`It ${reversible ? 'can' : 'cannot'} be undone, as `), ...sourceOf(held, 'effect.reversible'), ours('.')];
  return held.effect === 'destructive' ? [ours('Whether it can be undone is not known.')] : [];
}

function cost(held: HeldAction): ViewText {
  const found = measured(held, 'effect.cost');
  return found ? [ours('It would cost '), untrusted(canonicalJson(found.value)), ours(', as '), ...sourceOf(held, 'effect.cost'), ours('.')] : [];
}

const change = ({ transformed }: HeldAction): ViewText =>
  transformed ? [ours(`Policy changed ${counted(transformed.changes.length, 'value')}: what you approve is a′.`)] : [];

function sourceOf(held: HeldAction, name: string): readonly TextPart[] {
  const found = measured(held, name);
  return found ? [{ text: found.source, from: 'policy' }, ours(` measured at ${found.observed_at}`)] : [];
}
