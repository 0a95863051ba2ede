import { describe, expect, test } from 'vitest';

import { policyFrom, policyText } from '@/lib/testing/engine-fixtures';

import { parsePolicyTests, runPolicyTests } from './policy-tests';

const policy = policyFrom(policyText('  - { id: read, match: { tool: files, operation: read }, action: ALLOW }'));

function wrongIn(text: string): readonly (readonly string[])[] {
  const tests = parsePolicyTests(text);
  if (!tests.ok) throw new Error(JSON.stringify(tests.error.issues));
  return runPolicyTests(tests.value, policy).map((result) => result.wrong);
}

const readFile = 'action: { tool: files, operation: read, parameters: { path: a } }';

describe('a policy’s tests', () => {
  test('pass when the decision is the wanted one', () => {
    expect(wrongIn(`tests:\n  - { name: a, ${readFile}, expect: { decision: ALLOW, rule: read } }`)).toEqual([[]]);
  });

  test('say what was wanted and what came', () => {
    expect(wrongIn(`tests:\n  - { name: a, ${readFile}, expect: { decision: DENY, rule: other, approvers: [x] } }`)).toEqual([
      ['decision: wanted "DENY", got "ALLOW"', 'approvers: wanted ["x"], got null', 'rule: wanted other, got read'],
    ]);
  });

  test('fail when the action does not even fit the catalogue, unless that is what they want', () => {
    const unknown = 'action: { tool: files, operation: explode }';
    expect(wrongIn(`tests:\n  - { name: a, ${unknown}, expect: { decision: DENY } }`)[0]).toHaveLength(1);
    expect(wrongIn(`tests:\n  - { name: a, ${unknown}, expect: { decision: DENY, code: unknown_tool } }`)).toEqual([[]]);
  });

  test('are read strictly, with positions', () => {
    const parsed = parsePolicyTests(`tests:\n  - { name: a, ${readFile}, expcet: { decision: DENY } }\n`);
    expect(parsed.ok ? [] : parsed.error.issues?.map(({ line, path, fix }) => [line, path, fix])).toEqual([
      [2, 'tests[0].expect', 'Add expect.'], [2, 'tests[0].expcet', 'Did you mean expect?'],
    ]);
  });

  test('may stand at any time, and say what signals and scopes there are', () => {
    const timed = policyFrom(policyText(`  - { id: night, match: { tool: files }, context: { time_window: { zone: Asia/Tokyo, from: "22:00", to: "06:00" } }, action: DENY }
  - { id: told, match: { tool: files }, context: { risk_signals: { injection: { gt: 0.5 } } }, action: STEP_UP }
  - { id: read, match: { tool: files, operation: read, identity: { scope: { contains: data } } }, action: ALLOW }`));
    const decisionFor = (given: string): unknown => {
      const tests = parsePolicyTests(`tests:\n  - { name: a, ${readFile}, given: { scope: [data], ${given} }, expect: { decision: ALLOW } }`);
      return tests.ok ? runPolicyTests(tests.value, timed)[0]?.decision?.decision : tests.error.issues?.[0]?.path;
    };
    expect(decisionFor('risk: { injection: 0.4 }')).toBe('ALLOW');
    expect(decisionFor('risk: { injection: 0.6 }')).toBe('STEP_UP');
    expect(decisionFor('at: 2030-06-03T13:00:00.000Z')).toBe('DENY');
    expect(decisionFor('at: 2030-06-03T12:59:59.000Z')).toBe('ALLOW');
    expect(decisionFor('at: noon')).toBe('tests[0].given.at');
    expect(decisionFor('risk: { mood: 1 }')).toContain('tests[0].given.risk');
  });

  test('read the user’s words with the same lexicon as the engine', () => {
    const asks = policyFrom(policyText('  - { id: gone, match: { tool: files, operation: delete }, context: { user_intent: { contains: [delete] } }, action: STEP_UP, classification: context_dependent_allow }'));
    const text = (request: string): string => `tests:\n  - { name: a, action: { tool: files, operation: delete, parameters: { path: a } }, given: { request: "${request}" }, expect: { decision: STEP_UP } }`;
    const decisionFor = (request: string): unknown => {
      const tests = parsePolicyTests(text(request));
      return tests.ok ? runPolicyTests(tests.value, asks)[0]?.decision?.decision : null;
    };
    expect([decisionFor('Delete the file a'), decisionFor('Do not delete anything'), decisionFor('Should I delete a?')]).toEqual(['STEP_UP', 'DENY', 'DEFER']);
  });
});
