import { afterAll, beforeAll, expect, it } from 'vitest';

import { startTestPlane, type TestPlane } from '@/lib/testing/plane-fixture';
import { planePolicy } from '@/lib/testing/plane-policy';

let plane: TestPlane;
beforeAll(async () => {
  plane = await startTestPlane(planePolicy);
}, 60_000);
afterAll(async () => {
  await plane.stop();
});

it('decisions of many sessions that arrive together share few checkpoints: they commit in groups', async () => {
  const sessions = await Promise.all(Array.from({ length: 32 }, () => plane.openSession('Take a note.')));
  const before = (await plane.stores.log.checkpoints(1000)).length;
  const answers = await Promise.all(
    sessions.map((session) => plane.call(plane.token('helper'), 'POST', '/v1/actions', { session, tool: 'notes', operation: 'write', parameters: { text: 'x' } })),
  );
  expect(answers.every(({ body }) => body.decision === 'ALLOW')).toBe(true);
  expect((await plane.stores.log.checkpoints(1000)).length - before).toBeLessThan(16);
});
