import type { LintFinding } from '@/lib/policy/lint-finding';

/**
 * Findings that keep a proposal from being applied: a rule that can never hold, or that names what is not there, does not say what its author signed
 * for. The others are worth reading, and may be meant.
 */
const red: ReadonlySet<LintFinding['code']> = new Set(['never_matches', 'no_such_action', 'no_such_group']);

/** The red ones that the proposal brings in: what stood in the policy before is not the proposal's doing. */
export function redFindings(before: readonly LintFinding[], after: readonly LintFinding[]): readonly LintFinding[] {
  const known = new Set(before.map(keyOf));
  return after.filter((finding) => red.has(finding.code) && !known.has(keyOf(finding)));
}

const keyOf = ({ code, rule, message }: LintFinding): string => `${code} ${rule ?? ''} ${message}`;
