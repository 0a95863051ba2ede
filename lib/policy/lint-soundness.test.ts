import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';

import { decide } from '@/lib/engine/decide';
import type { Decision } from '@/lib/engine/decision';
import type { Rule } from '@/lib/engine/rule';
import { laboratory } from '@/lib/testing/engine-laboratory';
import { laboratoryOf, policyIn, type Laboratory, type World } from '@/lib/testing/engine-worlds';
import { canonicalJson } from '@/lib/shared/canonical-json';
import type { Json } from '@/lib/shared/json';

import type { LintFinding } from './lint-finding';
import { lintMatching } from './lint-matching';
import { lintPairs } from './lint-pairs';
import type { ParsedPolicy } from './parse-policy';

let lab: Laboratory;
beforeAll(() => {
  lab = laboratoryOf(21);
}, 120_000);

/** Worlds with one of the rules of that kind more: chance alone would seldom bring them about. */
function worldsWith(wanted: (rule: Rule) => boolean): fc.Arbitrary<World> {
  const alike = lab.rulesOf(wanted);
  expect(alike.length).toBeGreaterThan(0);
  return fc.tuple(lab.world, fc.constantFrom(...alike)).map(([one, more]) => ({ ...one, rules: [...one.rules.filter(({ id }) => id !== more.id), more] }));
}

/** What linting needs of a policy, around generated rules. */
function found(rules: readonly Rule[]): ReadonlyMap<string, LintFinding['code']> {
  const parsed = { rules, catalogue: laboratory } as unknown as ParsedPolicy;
  const codes = new Map<string, LintFinding['code']>();
  for (const rule of rules) for (const { code } of lintMatching(rule, parsed)) codes.set(rule.id, code);
  lintPairs(parsed, (code, rule) => void (rule && !codes.has(rule.id) && codes.set(rule.id, code)));
  return codes;
}

const withoutTraces = ({ decision, code, approval, transformed, obligations, grants, deferral }: Decision): string =>
  canonicalJson(JSON.parse(JSON.stringify({ decision, code, approval, transformed, obligations, grants, deferral: deferral?.missing })) as Json);

describe('a rule that the linter calls', { timeout: 120_000 }, () => {
  test.each<[LintFinding['code'], (rule: Rule) => boolean]>([
    ['never_matches', (rule) => found([rule]).get(rule.id) === 'never_matches'],
    ['shadowed', (rule) => rule.classification === 'static' && rule.priority > 100],
    ['covered_by_forbidden', (rule) => rule.classification === 'forbidden'],
  ])('%s can be removed without changing any decision', (code, wanted) => {
    let removed = 0;
    fc.assert(
      fc.property(worldsWith(wanted), (one) => {
        const codes = found(one.rules);
        const useless = one.rules.filter((rule) => codes.get(rule.id) === code);
        fc.pre(useless.length > 0);
        removed += useless.length;
        for (const rule of useless) {
          const less = { ...one, rules: one.rules.filter((other) => other !== rule) };
          const [before, after] = [one, less].map((each) => withoutTraces(decide(each.action, each.snapshot, policyIn(each), each.now)));
          expect(after).toBe(before);
        }
      }),
      { numRuns: 60, seed: 2, maxSkipsPerRun: 500 },
    );
    expect(removed).toBeGreaterThan(50);
  });
});
