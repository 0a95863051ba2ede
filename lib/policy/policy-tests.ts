import { decide } from '@/lib/engine/decide';
import type { Decision } from '@/lib/engine/decision';
import type { CompiledPolicy } from '@/lib/engine/policy';
import { mediate } from '@/lib/mediate/mediate';
import { canonicalJson } from '@/lib/shared/canonical-json';
import type { Json } from '@/lib/shared/json';
import { fail, ok, type Result } from '@/lib/shared/result';

import { Diagnostics, inOrder, toIssues, type Position } from './diagnostics';
import { givenSnapshot } from './given-snapshot';
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

/** Where each case of a `*.test.yaml` stands, in order. */
export function placesOfTests(text: string, tests: number): readonly Position[] {
  const { read } = readYaml(text);
  return Array.from({ length: tests }, (_, at) => read?.locate(['tests', at]) ?? { line: 1, column: 1 });
}

/** Decides each case with the policy and says, in words, what came out differently. Deterministic: the clock stands still at the case’s time. */
export function runPolicyTests(tests: readonly PolicyTest[], policy: CompiledPolicy): readonly PolicyTestResult[] {
  return tests.map((test) => {
    const action = mediate(test.action, policy.catalogue);
    if (!action.ok) {
      const passed = test.expect.code === action.error.code && test.expect.decision === 'DENY';
      return { name: test.name, passed, wrong: passed ? [] : [`The action is refused: ${action.error.code}, ${action.error.detail}`], decision: null };
    }
    const decision = decide(action.value, givenSnapshot(test.given, policy), policy, test.given.at);
    const wrong = differences(decision, test.expect);
    return { name: test.name, passed: wrong.length === 0, wrong, decision };
  });
}

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
