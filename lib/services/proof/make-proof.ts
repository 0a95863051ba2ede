import type { CompiledPolicy } from '@/lib/engine/policy';
import type { Catalogue } from '@/lib/mediate/catalogue';
import type { Comparison } from '@/lib/policy/compare/comparison';
import { compilePolicy } from '@/lib/policy/compile-policy';
import { lintPolicy } from '@/lib/policy/lint-policy';
import { parsePolicy } from '@/lib/policy/parse-policy';
import { parsePolicyTests, runPolicyTests } from '@/lib/policy/policy-tests';
import type { PolicyProof } from '@/lib/policy/proof';
import type { Sha256 } from '@/lib/shared/encoding';
import { fail, ok, type Result } from '@/lib/shared/result';

import { finishedProof } from './finished-proof';
import { redFindings } from './red-findings';
import type { ProofProgress, ProofSoFar, ProofWork, TellProof } from './proof-work';
import { replayLimits } from './replay-limits';
import { replayLog, type ReplayLog } from './replay-log';

export type ProofParts = {
  /** Asked for once all is found out that the texts alone tell. */
  readonly log: () => Promise<ReplayLog>;
  readonly sha256: Sha256;
  readonly catalogue: Catalogue;
  readonly compare: (base: CompiledPolicy | null, next: CompiledPolicy) => Comparison;
};

/**
 * Finds out everything that a proposal shows before anybody signs: lint and tests, what changes for whom, and what became of real decisions.
 * What is short comes first, so that a bound that stops it later leaves most of it. `policy_invalid`: the proposed text is no policy.
 */
export async function makeProof(parts: ProofParts, work: ProofWork, tell: TellProof): Promise<Result<PolicyProof>> {
  const at = (phase: ProofProgress['phase'], percent: number): void => tell.progress({ phase, percent });
  at('reading', 0);
  const { catalogue, sha256 } = parts;
  const parsed = parsePolicy(work.next.text, { format: work.next.format, catalogue, sha256 });
  if (!parsed.ok) return parsed;
  const next = compilePolicy(parsed.value);
  const base = work.base === null ? null : parsePolicy(work.base.text, { format: work.base.format, catalogue, sha256 });
  // What is in force compiles; a base of another version that does not is no ground to compare on.
  const under = base === null ? null : base.ok ? compilePolicy(base.value) : undefined;
  let soFar: ProofSoFar = { open: [] };
  const found = (more: Partial<ProofSoFar>): void => {
    soFar = { ...soFar, ...more };
    tell.found(soFar);
  };

  at('testing', 0);
  const findings = lintPolicy(parsed.value, { groups: work.groups });
  const red = redFindings(() => (base?.ok === true ? lintPolicy(base.value, { groups: work.groups }) : []), findings);
  found({
    lint: { errors: red.length, warnings: findings.length - red.length },
    open: [...soFar.open, ...red.slice(0, named).map(({ line, message, fix }) => `Lint, line ${String(line)}: ${message} ${fix}`.slice(0, 1000))],
  });
  const tests = testsOf(work.tests, next);
  const former = testsOf(work.formerTests, next);
  const replaced = former.failed === 0 ? [] : [`The proposal brings other tests. Of those that the policy in force has, ${String(former.failed)} of ${String(former.passed + former.failed)} come out differently.`, ...former.open];
  found({ tests: { passed: tests.passed, failed: tests.failed }, open: [...soFar.open, ...tests.open, ...replaced] });

  at('comparing', 0);
  if (under === undefined) found({ open: [...soFar.open, 'The policy that it was written on does not load with this version, so the two were not compared.'] });
  else found({ comparison: parts.compare(under, next) });

  at('replaying', 0);
  if (work.range === null || under === undefined) found({ open: [...soFar.open, 'No decisions were taken again: no signed checkpoint covers any of the period.'] });
  else {
    const replayed = await replayLog(await parts.log(), work.range, { base: under, proposed: next }, (done, of) => at('replaying', Math.floor((100 * done) / of)));
    if (replayed.ok) found({ replay: replayed.value, open: [...soFar.open, ...replayLimits(under, next, replayed.value)] });
    else found({ open: [...soFar.open, `The replay was not made: ${replayed.error.detail}`] });
  }
  const proof = finishedProof(work, soFar);
  return proof ? ok(proof) : fail('internal', 'The proof lacks its tests.');
}

function testsOf(texts: readonly string[], policy: CompiledPolicy): { readonly passed: number; readonly failed: number; readonly open: readonly string[] } {
  let passed = 0;
  let failed = 0;
  const open: string[] = [];
  for (const text of texts) {
    const cases = parsePolicyTests(text);
    if (!cases.ok) {
      failed += 1;
      open.push(`The tests cannot be read: ${cases.error.issues?.[0]?.message ?? cases.error.detail}`);
      continue;
    }
    for (const result of runPolicyTests(cases.value, policy)) {
      if (result.passed) passed += 1;
      else {
        failed += 1;
        if (open.length < named) open.push(`The test “${result.name}” comes out differently: ${result.wrong.join('; ')}`.slice(0, 1000));
      }
    }
  }
  return { passed, failed, open };
}

/** Of each kind so many are named; the rest are counted. */
const named = 20;
