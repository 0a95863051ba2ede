import type { Decision } from '@/lib/engine/decision';
import type { Completions } from '@/lib/policy/assist/complete-policy';
import type { WordMeaning } from '@/lib/policy/assist/explain-word';
import type { KnownNames } from '@/lib/policy/assist/known-names';
import type { PolicyFormat } from '@/lib/policy/read-text';
import type { ExplainedRule } from '@/lib/policy/simulate/explain-rule';
import type { Counterfactual } from '@/lib/policy/simulate/what-would-change';
import type { ErrorCode } from '@/lib/shared/error-codes';
import type { Issue } from '@/lib/shared/result';

export type PolicyTextAsked = { readonly text: string; readonly format: PolicyFormat };
/** People and agents of the workspace, which no worker can look up. */
export type WorkspaceNames = Pick<KnownNames, 'groups' | 'agents'>;

/** What the editor asks its worker. Everything is answered from the message alone; nothing leaves the browser. */
export type DeskRequest =
  | ({ readonly kind: 'check'; readonly tests: string; readonly names: WorkspaceNames } & PolicyTextAsked)
  | ({ readonly kind: 'complete'; readonly offset: number; readonly names: WorkspaceNames } & PolicyTextAsked)
  | ({ readonly kind: 'explain'; readonly offset: number; readonly names: WorkspaceNames } & PolicyTextAsked)
  | ({ readonly kind: 'test'; readonly tests: string } & PolicyTextAsked)
  | { readonly kind: 'simulate'; readonly draft: PolicyTextAsked; readonly inForce: PolicyTextAsked | null; readonly call: CallAsked };

/** `parameters` is JSON, `given` YAML as in a policy's tests: as they were typed. */
export type CallAsked = { readonly tool: string; readonly operation: string; readonly parameters: string; readonly given: string };

/** An error keeps the policy from loading; a warning is what its author probably does not mean. */
export type Problem = {
  readonly severity: 'error' | 'warning';
  readonly code: string;
  readonly path: string;
  readonly message: string;
  readonly fix: string | null;
  readonly line: number;
  readonly column: number;
};

export type DeskOperation = { readonly name: string; readonly effect: string; readonly impact: string; readonly parameters: readonly { readonly name: string; readonly type: string; readonly optional: boolean; readonly role: string | null }[] };
export type DeskTool = { readonly name: string; readonly operations: readonly DeskOperation[] };

export type CheckedText = {
  readonly policy: readonly Problem[];
  readonly tests: readonly Problem[];
  /** Null while the policy does not load. */
  readonly rules: number | null;
  readonly cases: number | null;
  /** What can be called under the policy, its own tools included, as of the last time that it loaded. */
  readonly tools: readonly DeskTool[];
};

export type TestedCase = { readonly name: string; readonly passed: boolean; readonly wrong: readonly string[]; readonly line: number; readonly column: number; readonly decision: Decision['decision'] | null };
/** `fault`: why no case could be decided. */
export type TestedText = { readonly cases: readonly TestedCase[]; readonly fault: 'policy' | 'tests' | null };

export type Refusal = { readonly code: ErrorCode; readonly detail: string; readonly fix: string | null; readonly issues: readonly Issue[] };
export type SimulatedText =
  | { readonly state: 'decided'; readonly decision: Decision; readonly lines: readonly string[]; readonly rules: readonly ExplainedRule[]; readonly changes: readonly Counterfactual[] }
  | { readonly state: 'refused'; readonly by: 'policy' | 'action'; readonly refusal: Refusal };
/** `asked`: what was typed is no question; then nothing was decided. */
export type SimulatedCall = { readonly asked: Refusal | null; readonly draft: SimulatedText | null; readonly inForce: SimulatedText | null };

export type DeskAnswers = {
  readonly check: CheckedText;
  readonly complete: Completions | null;
  readonly explain: WordMeaning | null;
  readonly test: TestedText;
  readonly simulate: SimulatedCall;
};
export type DeskKind = keyof DeskAnswers;
export type DeskAnswer = { readonly [Kind in DeskKind]: { readonly kind: Kind; readonly value: DeskAnswers[Kind] } }[DeskKind];
export type RequestOf<Kind extends DeskKind> = Extract<DeskRequest, { readonly kind: Kind }>;

export type ToDesk = { readonly ask: number; readonly request: DeskRequest };
export type FromDesk = { readonly ask: number } & ({ readonly answer: DeskAnswer } | { readonly fault: string });
