import type { Adapter } from './adapter';
import { requirements } from './case-schema';
import type { Suite } from './load-suite';
import { playCase, type CaseResult } from './play-case';

type Counts = { readonly cases: number; readonly passed: number; readonly failed: number; readonly unsupported: number };

/** The stable form of `--json`. A requirement is shown only when every one of its cases passed. */
export type SuiteReport = Counts & {
  readonly suite: string;
  readonly adapter: string;
  readonly requirements: Readonly<Record<string, Counts & { readonly shown: boolean }>>;
  readonly results: readonly CaseResult[];
};

/** One case after another: they share the system's policy, switches and clock. `seen` hears of each result. */
export async function runSuite(suite: Suite, adapter: Adapter, seen: (result: CaseResult) => void = () => undefined): Promise<SuiteReport> {
  const results: CaseResult[] = [];
  for (const one of suite.cases) {
    const result = await playCase(one, suite, adapter);
    results.push(result);
    seen(result);
  }
  return {
    suite: suite.version,
    adapter: adapter.name,
    ...countsOf(results),
    requirements: Object.fromEntries(
      requirements.map((name) => {
        const counts = countsOf(results.filter(({ shows }) => shows === name));
        return [name, { ...counts, shown: counts.cases > 0 && counts.passed === counts.cases }];
      }),
    ),
    results,
  };
}

function countsOf(results: readonly CaseResult[]): Counts {
  const count = (outcome: CaseResult['outcome']): number => results.filter((result) => result.outcome === outcome).length;
  return { cases: results.length, passed: count('passed'), failed: count('failed'), unsupported: count('unsupported') };
}
