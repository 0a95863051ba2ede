import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';

import { decide } from '@/lib/engine/decide';
import type { Decision } from '@/lib/engine/decision';
import type { Rule } from '@/lib/engine/rule';
import { laboratory } from '@/lib/testing/engine-laboratory';
import { laboratoryOf, policyIn, type World } from '@/lib/testing/engine-worlds';
import { canonicalJson } from '@/lib/shared/canonical-json';
import type { Json } from '@/lib/shared/json';

import type { LintFinding } from './lint-finding';
import { lintMatching } from './lint-matching';
import { lintPairs } from './lint-pairs';
import type { ParsedPolicy } from './parse-policy';

let world: fc.Arbitrary<World>;
beforeAll(() => {
  ({ world } = laboratoryOf(21));
}, 120_000);

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
  test.each(['never_matches', 'shadowed', 'covered_by_forbidden'] as const)('%s can be removed without changing any decision', (code) => {
    let removed = 0;
    fc.assert(
      fc.property(world, (one) => {
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
      { numRuns: 60, seed: 2, maxSkipsPerRun: 2000 },
    );
    expect(removed).toBeGreaterThan(50);
  });
});
