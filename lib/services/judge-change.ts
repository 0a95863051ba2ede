import type { ChangeClass } from '@/lib/authority/policy-revision';
import { comparePolicies } from '@/lib/policy/compare/compare-policies';
import { classOf } from '@/lib/policy/proof';
import type { PolicyRow } from '@/lib/ports/authority-store';

import type { CompilePolicy } from './in-force';

export type JudgedText = Pick<PolicyRow, 'text' | 'format'>;

/**
 * The class of a change, found out by this process from both texts. It may take seconds, so whoever serves people or agents does it in a
 * thread. Whatever keeps it from being found is `not_proved`, which asks for the signatures of loosening.
 */
export type JudgeChange = (base: JudgedText, next: JudgedText) => Promise<ChangeClass>;

/** Here and now. */
export function changeOf(base: JudgedText, next: JudgedText, compile: CompilePolicy): ChangeClass {
  if (base.text === next.text && base.format === next.format) return 'tighten';
  const [before, after] = [compile(base.text, base.format), compile(next.text, next.format)];
  return before.ok && after.ok ? classOf(comparePolicies(before.value, after.value)) : 'not_proved';
}

export const judgeHere = (compile: CompilePolicy): JudgeChange => (base, next) => Promise.resolve(changeOf(base, next, compile));
