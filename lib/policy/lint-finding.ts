import type { Rule } from '@/lib/engine/rule';

import type { Path } from './diagnostics';

export const lintCodes = [
  'never_matches', 'no_such_action', 'shadowed', 'covered_by_forbidden', 'conflicting_priority', 'no_such_group', 'never_escalates', 'unreachable_tool',
  'matches_everything', 'no_source', 'optional_without_exists', 'default_allows', 'no_internal_domains', 'open_to_commands', 'url_as_text',
  'contains_whole_values',
] as const;

/** Something in a policy that loads but probably does not mean what its author thinks. */
export type LintFinding = {
  readonly code: (typeof lintCodes)[number];
  /** Null: about the policy as a whole. */
  readonly rule: string | null;
  readonly message: string;
  readonly fix: string;
  readonly path: string;
  readonly line: number;
  readonly column: number;
};

/** Writes a finding down; `at` is below the rule, or below the document where there is no rule. */
export type Note = (code: LintFinding['code'], rule: Rule | null, message: string, fix: string, at?: Path) => void;
