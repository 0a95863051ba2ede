import type { Predicate } from '@/lib/engine/predicate';
import type { Truth } from '@/lib/engine/truth';

import type { CatalogueEntry } from '@/lib/mediate/catalogue';

import type { Leaf } from './dimensions';

/** Which truths are still possible, as bits. */
export const possibly = { true: 1, false: 2, unknown: 4, known: 3, any: 7 } as const;

export const bitOf = (truth: Truth): number => possibly[truth];

/** The truths that a comparison may have at all. What is known of every session and action, and what cannot fail to be read, is never unknown. */
export function mayBe(leaf: Leaf, { parameters }: CatalogueEntry): number {
  if (leaf.is !== 'test') return possibly.any;
  const { field, test } = leaf;
  if (test.op === 'lt' || test.op === 'lte' || test.op === 'gt' || test.op === 'gte') return field.of === 'elapsed' ? possibly.known : possibly.any;
  switch (field.of) {
    case 'identity':
    case 'operation':
    case 'labels':
    case 'prior':
    case 'time':
    case 'provenance':
      return possibly.known;
    case 'parameter': {
      const [name = ''] = field.path;
      return Object.hasOwn(parameters, name) && parameters[name]?.role === undefined && test.op !== 'external' ? possibly.known : possibly.any;
    }
    default:
      return possibly.any;
  }
}

/**
 * The truths that a predicate may still have while some of what it reads is open. `truths` gives those of one comparison. Comparisons
 * count as independent of each other, so it may be more than there are, never fewer.
 */
export function possibleTruths(predicate: Predicate, cautious: boolean, truths: (leaf: Leaf, cautious: boolean) => number): number {
  switch (predicate.is) {
    case 'all': {
      let found: number = possibly.true;
      for (const part of predicate.of) {
        found = combined(found, possibleTruths(part, cautious, truths), possibly.false, possibly.true);
        if (found === possibly.false) return found;
      }
      return found;
    }
    case 'any': {
      let found: number = possibly.false;
      for (const part of predicate.of) {
        found = combined(found, possibleTruths(part, cautious, truths), possibly.true, possibly.false);
        if (found === possibly.true) return found;
      }
      return found;
    }
    case 'not':
      return negated(possibleTruths(predicate.of, !cautious, truths));
    default:
      return truths(predicate, cautious);
  }
}

/** Of a conjunction of two. */
export const combinedTruths = (a: number, b: number): number => combined(a, b, possibly.false, possibly.true);

/** `strong` settles it alone, `weak` needs both; of the rest one unknown makes it unknown. */
function combined(a: number, b: number, strong: number, weak: number): number {
  let found = 0;
  if (((a | b) & strong) !== 0) found |= strong;
  if ((a & b & weak) !== 0) found |= weak;
  const either = ((a & possibly.unknown) !== 0 && (b & (possibly.unknown | weak)) !== 0) || ((b & possibly.unknown) !== 0 && (a & (possibly.unknown | weak)) !== 0);
  return either ? found | possibly.unknown : found;
}

const negated = (found: number): number => (found & possibly.unknown) | ((found & possibly.true) !== 0 ? possibly.false : 0) | ((found & possibly.false) !== 0 ? possibly.true : 0);
