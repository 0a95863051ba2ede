import { expect, test } from 'vitest';

import { loadSuite, shippedSuite } from '../load-suite';
import { runSuite } from '../run-suite';
import { referenceAdapter } from './reference-adapter';

test('the core passes every case of the shipped suite', async () => {
  const suite = await loadSuite(shippedSuite());
  if (!suite.ok) throw new Error(`${suite.error.detail} ${JSON.stringify(suite.error.issues)}`);
  const report = await runSuite(suite.value, referenceAdapter());
  expect(report.results.filter(({ outcome }) => outcome !== 'passed')).toEqual([]);
}, 30_000);
