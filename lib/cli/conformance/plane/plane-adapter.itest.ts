import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
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
let folder: string;

beforeAll(async () => {
  const loaded = await loadSuite(shippedSuite());
  if (!loaded.ok) throw new Error(loaded.error.detail);
  suite = loaded.value;
  folder = await mkdtemp(path.join(os.tmpdir(), 'countersign-conformance-'));
  const blocklist = path.join(folder, 'blocklist.txt');
  await writeFile(blocklist, '');
  const plane = await startTestPlane('', provisionOf(suite.cast, canonicalJson(ownPolicy({ rules: [] }))), { BLOCKLIST: blocklist });
  const { parts, close } = await testConsole(plane);
  adapter = planeAdapter({ ...plane, parts, blocklist, close: async () => { await close(); await plane.stop(); } }, suite.cast);
});
afterAll(async () => {
  await adapter.close();
  await rm(folder, { recursive: true });
});

test('the plane over HTTP comes to the same as the core in every case that can be played on it', async () => {
  const { results } = await runSuite(suite, adapter);
  expect(results.filter(({ outcome }) => outcome === 'failed')).toEqual([]);
  // What only a harness inside the process could bring about.
  expect(results.filter(({ outcome }) => outcome === 'unsupported').map(({ id }) => id)).toEqual([
    'unsigned-policy-allows-nothing', 'permit-of-a-lost-policy-fails', 'guard-that-failed-denies', 'second-point-that-cannot-say-defers',
  ]);
}, 300_000);
