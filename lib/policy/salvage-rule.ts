import type { z } from 'zod';

import { ruleSchema, type RuleDocument } from './document-schema';

/**
 * What can be read of a rule that has problems, so that those of its other parts are told at once too. Undefined when nothing is
 * left; an id that cannot be read is empty. Such a rule is never used.
 */
export function salvageRule(raw: unknown, issues: readonly z.core.$ZodIssue[]): RuleDocument | undefined {
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) return undefined;
  const wrong = new Set<unknown>(issues.flatMap((issue) => (issue.path.length === 0 && issue.code === 'unrecognized_keys' ? issue.keys : [issue.path[0]])));
  const kept = Object.entries(raw).filter(([key]) => !wrong.has(key));
  const read = ruleSchema.safeParse({ id: 'unreadable', action: 'DENY', ...Object.fromEntries(kept) });
  if (!read.success) return undefined;
  return kept.some(([key]) => key === 'id') ? read.data : { ...read.data, id: '' };
}
