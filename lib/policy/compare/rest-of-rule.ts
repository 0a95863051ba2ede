import type { Predicate } from '@/lib/engine/predicate';

import type { Leaf } from './dimensions';
import type { TrackedLeaf } from './tracked-rule';

/** What is open of a rule: the same text for whatever settled the rest of it, the dimensions that may still matter, and the comparisons that read them. */
export type Rest = { readonly text: string; readonly keys: readonly string[]; readonly leaves: readonly TrackedLeaf[] };

/** What is left of a predicate; `t` and `f` where it is settled. */
export function restOf(predicate: Predicate, cautious: boolean, leaf: (one: Leaf, cautious: boolean) => Rest): Rest {
  switch (predicate.is) {
    case 'all':
      return joined('all', predicate.of.map((part) => restOf(part, cautious, leaf)), 't', 'f');
    case 'any':
      return joined('any', predicate.of.map((part) => restOf(part, cautious, leaf)), 'f', 't');
    case 'not': {
      const { text, ...rest } = restOf(predicate.of, !cautious, leaf);
      return { text: text === 't' ? 'f' : text === 'f' ? 't' : `not(${text})`, ...rest };
    }
    default:
      return leaf(predicate, cautious);
  }
}

/** `weak` changes nothing, `strong` settles it. */
function joined(is: 'all' | 'any', parts: readonly Rest[], weak: string, strong: string): Rest {
  if (parts.some(({ text }) => text === strong)) return { text: strong, keys: [], leaves: [] };
  const left = parts.filter(({ text }) => text !== weak);
  if (left.length === 0) return { text: weak, keys: [], leaves: [] };
  return { text: `${is}(${left.map(({ text }) => text).join(',')})`, keys: left.flatMap(({ keys }) => keys), leaves: left.flatMap(({ leaves }) => leaves) };
}
