import { canonicalJson } from '@/lib/shared/canonical-json';

import type { Outcome } from './outcome';

/** Two outcomes are the same when the same would happen: the kind, the changes, and for a conflict its rules. Who is asked may differ. */
export function sameOutcome(a: Outcome, b: Outcome): boolean {
  if (a.kind !== b.kind) return false;
  if (a.conflict.length !== b.conflict.length || a.conflict.some((rule, i) => rule.id !== b.conflict[i]?.id)) return false;
  if (a.modify.length === 0 && b.modify.length === 0) return true;
  return canonicalJson(a.modify.map((step) => step.change)) === canonicalJson(b.modify.map((step) => step.change));
}
