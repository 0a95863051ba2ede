import { canonicalJson } from '@/lib/shared/canonical-json';

import type { ModifyStep } from './outcome';
import type { Modification, Rule } from './rule';

export const stepsOf = (rules: readonly Rule[]): readonly ModifyStep[] =>
  rules.flatMap((rule) => rule.modify.map((change) => ({ by: rule.id, change })));

/**
 * MODIFYs of disjoint paths join, in an order that does not depend on the rules' order. The same change twice is one, and two
 * redactions of one text are one that redacts both. Anything else on overlapping paths is a conflict: null.
 */
export function joinChanges(steps: readonly ModifyStep[]): readonly ModifyStep[] | null {
  const joined: ModifyStep[] = [];
  const ordered = steps.length < 2 ? steps : [...steps].sort((a, b) => compareText(sortKey(a), sortKey(b)));
  for (const step of ordered) {
    const place = joined.findIndex((other) => overlaps(other.change.path, step.change.path));
    const other = joined[place];
    if (!other) joined.push(step);
    else {
      const merged = mergeChanges(other.change, step.change);
      if (!merged) return null;
      joined[place] = { by: other.by, change: merged };
    }
  }
  return joined;
}

function mergeChanges(a: Modification, b: Modification): Modification | null {
  if (canonicalJson(a) === canonicalJson(b)) return a;
  if (a.form !== 'redact' || b.form !== 'redact' || a.path.join('.') !== b.path.join('.')) return null;
  return { form: 'redact', path: a.path, what: [...new Set([...a.what, ...b.what])].sort() };
}

const overlaps = (a: readonly string[], b: readonly string[]): boolean => {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) if (a[i] !== b[i]) return false;
  return true;
};

const sortKey = (step: ModifyStep): string => `${step.change.path.join('.')} ${step.by} ${step.change.form}`;

const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
