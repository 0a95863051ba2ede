import { emptyState } from '@/lib/context/session-state';
import { takeSnapshot } from '@/lib/context/take-snapshot';
import { decide } from '@/lib/engine/decide';
import type { CompiledPolicy } from '@/lib/engine/policy';
import { inspectAction } from '@/lib/guards/inspect-action';
import { mediate, type ProposedAction } from '@/lib/mediate/mediate';
import { bounds } from '@/lib/shared/bounds';
import type { Json, JsonObject } from '@/lib/shared/json';

import { benchNow, evidenceFor, extend } from './engine-cases';
import { median, msOf, rounded } from './engine-clock';
import { sessionId } from './engine-ids';
import { loadPolicy, policyAround } from './engine-load';

/** Expressions that take backtracking matchers exponential time, or that have very many states. */
const patterns = [
  '^(a+)+$', '(a|aa)*b$', '(.*a){20}', '([a-z]+)*[0-9]$', '^(([a-z])+.)+[A-Z]([a-z])+$', '(?:a?){50}a{50}', '((a{0,10}){0,10}){0,9}b',
  '.*.*.*.*.*=.*', '(x+x+)+y', '[ab]*a[ab]{40}$', '([a-c]|[b-d]){0,200}z',
];

const megabyte = 1024 * 1024;

export type WorstFigures = {
  /** Milliseconds, the slowest of all: reading a policy with the expression, and mediating, inspecting, snapshot and deciding. */
  readonly regular_expression_load_ms: number;
  readonly regular_expression_decide_ms: number;
  readonly parameter_1mb_ms: number;
};

/** What an adversary who writes policies or parameters can make the engine spend; the slowest of every kind counts. */
export function benchWorst(): WorstFigures {
  return {
    regular_expression_load_ms: slowest(patterns.map((pattern) => (): void => void patternPolicy(pattern))),
    regular_expression_decide_ms: slowest(patterns.flatMap((pattern) => longTexts.map((body) => through(patternPolicy(pattern), mailOf(body))))),
    parameter_1mb_ms: slowest(megabyteActions().map((proposed) => through(everythingAllowed(), proposed))),
  };
}

/** Each three times, its middle; then the slowest of them. */
const slowest = (runs: readonly (() => void)[]): number => rounded(Math.max(...runs.map((run) => median([msOf(run), msOf(run), msOf(run)]))));

/** The longest text that a parameter may be, against which the expressions fail late. */
const longTexts = [
  `${'a'.repeat(bounds.stringLength - 1)}!`,
  Array.from({ length: bounds.stringLength }, (_, at) => ((at * 2_654_435_761) % 4_294_967_296 < 2_147_483_648 ? 'a' : 'b')).join(''),
];

const mailOf = (body: string): ProposedAction => ({ tool: 'email', operation: 'send', parameters: { to: 'ann@harbor.example', body } });

const patternPolicy = (pattern: string): CompiledPolicy =>
  loadPolicy(policyAround(`  - { id: mail, match: { tool: email, operation: send }, action: ALLOW }
  - { id: words, match: { tool: email, operation: send, parameters: { body: { matches: '${pattern}' } } }, action: DENY }
`));

const everythingAllowed = (): CompiledPolicy => loadPolicy(policyAround('  - { id: all, match: { tool: "*" }, action: ALLOW }\n'));

/** One text of a megabyte, which is refused, and as many of the longest texts as make a megabyte, which are taken. */
function megabyteActions(): readonly ProposedAction[] {
  const pieces = ['a', 'some words of a letter ', '12 34-56 78.', '2024-05-26 12:30, 1 May 2024; ', 'bob@x.example, ', '../a/', "SELECT a FROM b WHERE c = 'd' UNION ", '$(echo a); ', '{"a":[1,{"b":3}],"id":12}', '日本語ﬁ', 'QUJDREVG+/=', '((((', '%2e%2f'];
  const calls: readonly ((value: Json) => readonly [string, string, JsonObject])[] = [
    (value) => ['http', 'fetch', { url: 'https://elsewhere.example/', method: 'POST', body: value }],
    (value) => ['email', 'send', { to: 'ann@harbor.example', body: 'See attachments.', attachments: [value] }],
    (value) => ['database', 'update', { table: 'orders', set: { value }, where: 'id = 1' }],
    (value) => ['shell', 'exec', { command: value }],
    (value) => ['files', 'read', { path: value }],
    (value) => ['database', 'query', { query: value }],
  ];
  return pieces.flatMap((piece) => {
    const text = (length: number): string => piece.repeat(Math.ceil(length / piece.length)).slice(0, length);
    const values: readonly Json[] = [text(megabyte), Array.from({ length: megabyte / bounds.stringLength }, () => text(bounds.stringLength)), text(bounds.stringLength)];
    return values.flatMap((value) => calls.map((call) => {
      const [tool, operation, parameters] = call(value);
      return { tool, operation, parameters };
    }));
  });
}

/** All that the plane does with a proposal before it is written down. A refusal is an answer too. */
function through(policy: CompiledPolicy, proposed: ProposedAction): () => void {
  const state = emptyState(sessionId(0));
  extend(state, { kind: 'request', at: benchNow, text: 'Send the report.', assurance: 'orchestrator' });
  return () => {
    const mediated = mediate(proposed, policy.catalogue);
    if (!mediated.ok) return;
    const guards = inspectAction(mediated.value);
    decide(mediated.value, takeSnapshot(state, mediated.value, { ...evidenceFor(policy, state, 0, 0), guards }), policy, benchNow);
  };
}
