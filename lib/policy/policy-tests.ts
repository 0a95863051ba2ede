import type { Snapshot } from '@/lib/context/snapshot';
import { IntentReader } from '@/lib/context/read-intent';
import { decide } from '@/lib/engine/decide';
import type { Decision } from '@/lib/engine/decision';
import type { CompiledPolicy } from '@/lib/engine/policy';
import { mediate } from '@/lib/mediate/mediate';
import { canonicalJson } from '@/lib/shared/canonical-json';
import { isId, type IdKind, type IdOf } from '@/lib/shared/ids';
import type { Json } from '@/lib/shared/json';
import { fail, ok, type Result } from '@/lib/shared/result';

import { Diagnostics, inOrder, toIssues } from './diagnostics';
import { policyTestSchema, policyTestsSchema, type PolicyTest } from './policy-tests-schema';
import { readYaml } from './read-yaml';
import { addZodIssues } from './zod-diagnostics';

export type PolicyTestResult = { readonly name: string; readonly passed: boolean; readonly wrong: readonly string[]; readonly decision: Decision | null };

/** Reads a `*.test.yaml`; `policy_invalid` with every problem when it is malformed. */
export function parsePolicyTests(text: string): Result<readonly PolicyTest[]> {
  const { read, issues } = readYaml(text);
  if (!read) return fail('policy_invalid', 'The tests cannot be read.', { issues });
  const parsed = policyTestsSchema.safeParse(read.value);
  if (parsed.success) return ok(parsed.data.tests);
  const diagnostics = new Diagnostics();
  addZodIssues(parsed.error.issues, [], { value: read.value, known: [...Object.keys(policyTestSchema.shape), 'tests', 'decision'] }, diagnostics);
  return fail('policy_invalid', 'The tests have problems.', { issues: inOrder(toIssues(diagnostics.found, read.locate)) });
}

/** Decides each case with the policy and says, in words, what came out differently. Deterministic: a fixed clock. */
export function runPolicyTests(tests: readonly PolicyTest[], policy: CompiledPolicy): readonly PolicyTestResult[] {
  return tests.map((test) => {
    const action = mediate(test.action, policy.catalogue);
    if (!action.ok) {
      const passed = test.expect.code === action.error.code && test.expect.decision === 'DENY';
      return { name: test.name, passed, wrong: passed ? [] : [`The action is refused: ${action.error.code}, ${action.error.detail}`], decision: null };
    }
    const decision = decide(action.value, snapshotOf(test, policy), policy, now);
    const wrong = differences(decision, test.expect);
    return { name: test.name, passed: wrong.length === 0, wrong, decision };
  });
}

const now = '2030-06-03T12:00:00.000Z';
const minutesAgo = (minutes: number): string => new Date(Date.parse(now) - minutes * 60_000).toISOString();

function differences(decision: Decision, expected: PolicyTest['expect']): readonly string[] {
  const wrong: string[] = [];
  const compare = (what: string, found: Json, wanted: Json | undefined): void => {
    if (wanted !== undefined && canonicalJson(found) !== canonicalJson(wanted)) wrong.push(`${what}: wanted ${canonicalJson(wanted)}, got ${canonicalJson(found)}`);
  };
  compare('decision', decision.decision, expected.decision);
  compare('code', decision.code, expected.code);
  compare('classification', decision.classification, expected.classification);
  compare('approvers', decision.approval ? [...decision.approval.approvers] : null, expected.approvers ? [...expected.approvers].sort() : undefined);
  compare('quorum', decision.approval?.quorum ?? null, expected.quorum);
  compare('missing', decision.deferral ? decision.deferral.missing.map((field) => field.field) : null, expected.missing);
  compare('transformed', decision.transformed?.parameters ?? null, expected.transformed);
  if (expected.rule !== undefined && !decision.determining.some((rule) => rule.id === expected.rule)) {
    wrong.push(`rule: wanted ${expected.rule}, got ${decision.determining.map((rule) => rule.id).join(', ') || decision.baseline.from}`);
  }
  return wrong;
}

function made<Kind extends IdKind>(kind: Kind, text: string): IdOf<Kind> {
  if (!isId(kind, text)) throw new Error(`${text} is no ${kind} id.`);
  return text;
}

function snapshotOf({ given }: PolicyTest, policy: CompiledPolicy): Snapshot {
  const intent = new IntentReader();
  if (given.request !== undefined) intent.read(given.request);
  const prior = given.prior.map((one, i) => {
    const { action, labels, minutes_ago } = typeof one === 'string' ? { action: one, labels: [], minutes_ago: 5 } : one;
    const dot = action.lastIndexOf('.');
    const tool = policy.catalogue.aliases.get(action.slice(0, dot)) ?? action.slice(0, dot);
    const operation = action.slice(dot + 1);
    const effect = policy.catalogue.entries.get(`${tool}.${operation}`)?.effect ?? 'execute';
    return { action: made('action', `act_${String(i).padStart(22, '0')}`), tool, operation, effect, at: minutesAgo(minutes_ago), labels };
  });
  const counts: Record<string, number> = {};
  for (const { tool, operation } of prior) counts[`${tool}.${operation}`] = (counts[`${tool}.${operation}`] ?? 0) + 1;
  const session = made('session', 'ses_0000000000000000000000');
  const known = Math.round(given.evaluability * 1000);
  return {
    version: 1,
    session: { id: session, state: 'open', opened_at: minutesAgo(given.elapsed_minutes), assurance: given.request === undefined ? null : given.assurance, head: policy.digest, seq: prior.length },
    identity: { human: given.human, service: 'orchestrator', agent: 'agent', session, role: given.role, scope: [], delegation: [] },
    identity_verified: true,
    killed: false,
    requests: given.request === undefined ? null : [given.request],
    intent: given.request === undefined ? null : intent.intent(),
    prior: { counts, recent: prior, total: prior.length },
    labels: given.labels,
    provenance: Object.entries(given.provenance).map(([path, source]) => ({ path, source })),
    attributes: given.attributes.map((attribute) => ({ ...attribute, observed_at: now })),
    signals: [
      { name: 'stated', score: given.alignment === null ? null : Math.round(given.alignment * 1000), weight: known, evidence: 'the test says so' },
      ...(known < 1000 ? [{ name: 'missing', score: null, weight: 1000 - known, evidence: 'the test says so', missing: 'target_ownership' }] : []),
    ],
    guards: [],
    points: [],
    grants: given.grants,
  };
}
