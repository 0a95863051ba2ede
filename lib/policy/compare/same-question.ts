import type { Predicate } from '@/lib/engine/predicate';

import type { Option } from './context-options';
import type { Leaf } from './dimensions';
import { leafText } from './place';
import type { Reads } from './reads';
import type { Open } from './settled-denials';
import { ruleText, type TrackedRule } from './tracked-rule';

/** Whose action it is the engine reads through rules alone. */
export const isOfIdentity = (key: string): boolean => key.startsWith('identity ');

/**
 * What is still open, in words that are the same for two situations in which only somebody else acts: the rules that may
 * still hold, what is settled of them replaced by what it came to, and everything chosen that may still matter. Two situations with the
 * same question have the same answer.
 */
export function sameQuestion(active: readonly Open[], chosen: ReadonlyMap<string, Option>, reads: Reads, idOf: (option: Option | undefined) => string): string {
  const read = new Set<string>();
  const rules = active.map(({ tracked, truth }) => {
    const leaf = (one: Leaf): Rest => {
      const keys = tracked.keysOf.get(one) ?? [];
      const known = reads.settled(one, keys, tracked);
      // What is unknown is asked for: by whom and of what stands in the situation.
      return known === null || known.includes('u') ? { text: `${known ?? ''}${leafText(one)}`, keys } : { text: known, keys: [] };
    };
    const [applies, context] = [restOf(tracked.rule.applies, leaf), restOf(tracked.rule.context, leaf)];
    for (const key of [...tracked.needs, ...applies.keys, ...context.keys]) read.add(key);
    return [tracked.side, truth, doneBy(tracked), applies.text, context.text];
  });
  const kept = [...chosen].filter(([key]) => !isOfIdentity(key) || read.has(key)).map(([key, option]) => `${key} ${idOf(option)}`);
  return JSON.stringify([rules, kept.sort()]);
}

/** What is left of a predicate; settled, two letters: what it comes to under caution and without. */
type Rest = { readonly text: string; readonly keys: readonly string[] };

function restOf(predicate: Predicate, leaf: (one: Leaf) => Rest): Rest {
  switch (predicate.is) {
    case 'all':
      return joined('all', predicate.of.map((part) => restOf(part, leaf)), 'tt', 'ff');
    case 'any':
      return joined('any', predicate.of.map((part) => restOf(part, leaf)), 'ff', 'tt');
    case 'not': {
      const { text, keys } = restOf(predicate.of, leaf);
      const turned = text === 'tt' ? 'ff' : text === 'ff' ? 'tt' : `not(${text})`;
      return { text: turned, keys };
    }
    default:
      return leaf(predicate);
  }
}

/** `weak` changes nothing, `strong` settles it. */
function joined(is: 'all' | 'any', parts: readonly Rest[], weak: string, strong: string): Rest {
  if (parts.some(({ text }) => text === strong)) return { text: strong, keys: [] };
  const left = parts.filter(({ text }) => text !== weak);
  if (left.length === 0) return { text: weak, keys: [] };
  return { text: `${is}(${left.map(({ text }) => text).join(',')})`, keys: left.flatMap(({ keys }) => keys) };
}

const texts = new WeakMap<TrackedRule, string>();

/** What a rule does, whatever it is about. */
function doneBy(tracked: TrackedRule): string {
  const known = texts.get(tracked);
  if (known !== undefined) return known;
  const nothing: Predicate = { is: 'all', of: [] };
  const text = ruleText({ ...tracked.rule, applies: nothing, context: nothing });
  texts.set(tracked, text);
  return text;
}
