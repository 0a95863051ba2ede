import type { LintFinding } from '@/lib/policy/lint-finding';

/**
 * Findings that keep a proposal from being applied: a rule that can never hold, or that names what is not there, does not say what its author signed
 * for. The others are worth reading, and may be meant.
 */
const red: ReadonlySet<LintFinding['code']> = new Set(['never_matches', 'no_such_action', 'no_such_group']);

/** The red ones that the proposal brings in: what stood in the policy before, which is looked at only where there are any, is not the proposal's doing. */
export function redFindings(before: () => readonly LintFinding[], after: readonly LintFinding[]): readonly LintFinding[] {
  const found = after.filter(({ code }) => red.has(code));
  if (found.length === 0) return [];
  const known = new Set(before().map(keyOf));
  return found.filter((finding) => !known.has(keyOf(finding)));
}

const keyOf = ({ code, rule, message }: LintFinding): string => `${code} ${rule ?? ''} ${message}`;
