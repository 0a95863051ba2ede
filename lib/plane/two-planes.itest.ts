import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { fsck } from '@/lib/db/fsck';
import { createPool } from '@/lib/db/pool';
import { callPlane, startTestPlane, type PlaneAnswer, type TestPlane } from '@/lib/testing/plane-fixture';
import { planePolicy } from '@/lib/testing/plane-policy';
import { startPlaneProcess, type PlaneProcess } from '@/lib/testing/plane-process';
import type { SessionId } from '@/lib/shared/ids';

let plane: TestPlane;
let other: PlaneProcess;
beforeAll(async () => {
  plane = await startTestPlane(planePolicy);
  other = await startPlaneProcess(plane);
}, 120_000);
afterAll(async () => {
  await other.stop();
  await plane.stop();
});

const pairs = 200;
const atOnce = 10;

/** On two planes at once: a mail that leaves the house, and a query that shows personal data. */
async function race(turn: number): Promise<{ readonly session: SessionId; readonly mail: PlaneAnswer['body']; readonly query: PlaneAnswer['body'] }> {
  const session = (await plane.openSession('Mail the summary to ann@partner.example.')) as SessionId;
  const [one, two] = turn % 2 === 0 ? [plane.url, other.url] : [other.url, plane.url];
  const propose = (url: string, tool: string, operation: string, parameters: object) =>
    callPlane(url, plane.token('helper'), 'POST', '/v1/actions', { session, tool, operation, parameters });
  const [mail, query] = await Promise.all([
    propose(one, 'email', 'send', { to: 'ann@partner.example', body: 'the summary' }),
    propose(two, 'database', 'query', { query: 'SELECT * FROM customers' }),
  ]);
  return { session, mail: mail.body, query: query.body };
}

describe('two planes that decide in one session', () => {
  it('are two processes', () => {
    expect(other.pid).not.toBe(process.pid);
  });

  it(`never miss each other's actions, in ${pairs} races`, async () => {
    let mailFirst = 0;
    for (let from = 0; from < pairs; from += atOnce) {
      const races = await Promise.all(Array.from({ length: atOnce }, (_, at) => race(from + at)));
      for (const { session, mail, query } of races) {
        expect(query.decision).toBe('ALLOW');
        const permitted = (await plane.stores.sessions.entries(session, 0)).flatMap(({ entry }) => (entry.kind === 'permit' ? [entry.action] : []));
        if (mail.decision === 'ALLOW') {
          mailFirst++;
          expect(permitted).toEqual([mail.id, query.id]);
          // Decided before the data was seen, the mail must not leave after it.
          const redeemed = await callPlane(other.url, plane.token('helper'), 'POST', `/v1/permits/${mail.permit.id}/redeem`);
          expect(redeemed).toMatchObject({ status: 409, body: { error: { code: 'permit_stale' } } });
        } else {
          expect(mail).toMatchObject({ decision: 'DENY', code: 'denied_by_context' });
          expect(permitted).toEqual([query.id]);
        }
      }
    }
    // Both orders have to occur, or nothing was raced.
    expect(mailFirst).toBeGreaterThan(0);
    expect(mailFirst).toBeLessThan(pairs);
  }, 300_000);

  it('make one unbroken log', async () => {
    const pool = createPool({ url: plane.databaseUrl, max: 1, onIdleError: () => undefined });
    expect(await fsck(pool, plane.workspace)).toMatchObject({ ok: true });
    await pool.end();
  });
});
