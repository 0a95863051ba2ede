import { canonicalJson } from '@/lib/shared/canonical-json';

import type { ArgumentRole, HeldAction } from './held-action';
import { measuredCount } from './measured';
import { counted, ours, untrusted, type ViewText } from './view-text';

/** What aims or counts, the most telling first. Queries are left out: they are texts, and stand in full below. */
const telling: readonly ArgumentRole[] = ['target', 'amount', 'path', 'url', 'recipients', 'command'];

const shownAtMost = 2;

/** What it would touch in a few words, for one line of a list: how much as measured, then the values that aim. Empty: nothing does. */
export function subjectOf(held: HeldAction): ViewText {
  const count = measuredCount(held);
  const aimed = telling.flatMap((role) => held.arguments.filter((argument) => argument.role === role));
  const pieces: ViewText[] = [
    ...(count === undefined ? [] : [[ours(counted(count, 'item'))]]),
    ...aimed.slice(0, shownAtMost).map(({ value }) => [untrusted(typeof value === 'string' ? value : canonicalJson(value))]),
    ...(aimed.length > shownAtMost ? [[ours(`${aimed.length - shownAtMost} more`)]] : []),
  ];
  return pieces.flatMap((piece, index) => (index === 0 ? piece : [ours(', '), ...piece]));
}
