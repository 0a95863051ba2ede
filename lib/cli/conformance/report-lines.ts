import { plainText } from '@/lib/cli/plain-text';

import type { SuiteReport } from './run-suite';

/** What failed and what could not be tried, then a line for each requirement. What an adapter said is made harmless for a terminal. */
export function reportLines({ results, requirements, cases, passed, failed, unsupported, suite, adapter }: SuiteReport): readonly string[] {
  return [
    ...results
      .filter(({ outcome }) => outcome !== 'passed')
      .flatMap(({ id, shows, says, outcome, because }) => [
        `${outcome === 'failed' ? 'FAILED     ' : 'unsupported'}  ${shows} ${id}: ${says}`,
        ...because.map((words) => `               ${plainText(words)}`),
      ]),
    ...Object.entries(requirements)
      .filter(([, counts]) => counts.cases > 0)
      .map(([name, counts]) => `${name}  ${counts.shown ? 'shown    ' : 'NOT SHOWN'}  ${String(counts.passed)} of ${String(counts.cases)} cases passed`),
    `${suite}, ${plainText(adapter)}: ${String(passed)} of ${String(cases)} passed, ${String(failed)} failed, ${String(unsupported)} unsupported.`,
  ];
}
