import { afterAll, beforeAll, expect, test } from 'vitest';

import { canonicalJson } from '@/lib/shared/canonical-json';
import { testConsole } from '@/lib/testing/console-fixture';
import { startTestPlane } from '@/lib/testing/plane-fixture';

import type { Adapter } from '../adapter';
import { loadSuite, shippedSuite, type Suite } from '../load-suite';
import { ownPolicy } from '../own-policy';
import { runSuite } from '../run-suite';
import { planeAdapter } from './plane-adapter';
import { provisionOf } from './plane-stage';

let suite: Suite;
let adapter: Adapter;

beforeAll(async () => {
  const loaded = await loadSuite(shippedSuite());
  if (!loaded.ok) throw new Error(loaded.error.detail);
  suite = loaded.value;
  const plane = await startTestPlane('', provisionOf(suite.cast, canonicalJson(ownPolicy({ rules: [] }))));
  const { parts, close } = await testConsole(plane);
  adapter = planeAdapter({ ...plane, parts, close: async () => { await close(); await plane.stop(); } }, suite.cast);
});
afterAll(async () => {
  await adapter.close();
});

test('the plane over HTTP comes to the same as the core in every case that can be played on it', async () => {
  const { results } = await runSuite(suite, adapter);
  expect(results.filter(({ outcome }) => outcome === 'failed')).toEqual([]);
  // What only a harness inside the process could bring about: answers of inspectors and decision points, and a policy that nobody signed.
  expect(results.filter(({ outcome }) => outcome === 'unsupported').map(({ because }) => because[0])).toHaveLength(9);
}, 300_000);
