import { isDeepStrictEqual } from 'node:util';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { signOut } from '@/lib/auth/sign-out';
import type { Viewer } from '@/lib/contracts/console/viewer';
import { createPool } from '@/lib/db/pool';
import type { ConsoleParts } from '@/lib/services/console/console-parts';
import { denyRequest } from '@/lib/services/console/deny-request';
import { suspendPerson } from '@/lib/services/console/suspend-person';
import { startApprovalStage, type ApprovalStage } from '@/lib/testing/approval-stage';
import { listen } from '@/lib/testing/conformance/event-conformance';
import { testConsole, valueOf } from '@/lib/testing/console-fixture';

import { openEventStream } from './event-stream';
import { createLogger } from './logger';

let stage: ApprovalStage;
/** Another console on the same database, as a replica has it: connections and listener of its own. */
let other: ConsoleParts;
let close: () => Promise<void>;
let ears: readonly ReturnType<typeof listen>[];
const logger = createLogger('console', { level: 'error' });

beforeAll(async () => {
  stage = await startApprovalStage();
  const { plane } = stage;
  ({ parts: other, close } = await testConsole({ databaseUrl: plane.databaseUrl, workspace: plane.workspace, stateDirectory: plane.stateDirectory }));
  // As in a running console, which listens from its start on.
  ears = [stage.parts, other].map(({ events }) => listen(events));
  await Promise.all(ears.map((ear) => ear.begun(1)));
}, 60_000);
afterAll(async () => {
  for (const ear of ears) ear.stop();
  await close();
  await stage.stop();
});

type Heard = { readonly text: () => string; readonly events: () => readonly unknown[]; readonly ended: () => boolean; readonly leave: () => Promise<void> };

/** A stream as a browser has it, read as it comes. */
function hear(stream: ReadableStream<Uint8Array>): Heard {
  const reader = stream.getReader();
  let [text, ended] = ['', false];
  const read = async (): Promise<void> => {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      text += Buffer.from(value).toString('utf8');
    }
    ended = true;
  };
  void read();
  return {
    text: () => text,
    events: () => [...text.matchAll(/^data: (.*)$/gm)].map(([, data = 'null']) => JSON.parse(data) as unknown),
    ended: () => ended,
    leave: () => reader.cancel(),
  };
}

const hour = 3_600_000;
const open = (parts: ConsoleParts, viewer: Viewer, more: { everyMs?: number; signedInAt?: string } = {}) =>
  openEventStream({ parts, logger }, { viewer, claims: { person: viewer.person, signed_in_at: more.signedInAt ?? new Date().toISOString() }, signal: new AbortController().signal, everyMs: more.everyMs ?? hour });
const look = { kind: 'look' };

describe('an event stream', () => {
  test('tells what another process has committed, to those who may see it', async () => {
    const [approver, requester, outsider] = await Promise.all(['approver', 'requester', 'owner'].map((who) => stage.viewer(who)));
    if (!approver || !requester || !outsider) throw new Error('Nobody looks.');
    const streams = [valueOf(open(stage.parts, approver)), valueOf(open(other, approver)), valueOf(open(other, { ...outsider, permissions: [] }))].map(hear);
    const held = await stage.hold();
    const told = { kind: 'approval_changed', id: held.approval };
    for (const stream of streams.slice(0, 2)) await expect.poll(stream.events).toContainEqual(told);
    // Denied through one console, told by the other.
    valueOf(await denyRequest(stage.parts, approver, { approval: held.approval, code: 'not_wanted', reason: 'No.' }));
    for (const stream of streams.slice(0, 2)) await expect.poll(() => stream.events().filter((event) => isDeepStrictEqual(event, told)).length).toBe(2);
    expect(streams[2]?.text()).not.toContain('apr_');
    await Promise.all(streams.map((stream) => stream.leave()));
  });

  test('says `look` when the connection that listens was cut, so that nothing stays missing', async () => {
    const stream = hear(valueOf(open(other, await stage.viewer('approver'))));
    const pool = createPool({ url: stage.plane.databaseUrl, max: 1, onIdleError: () => undefined });
    const { rows } = await pool.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'LISTEN%'`);
    expect(rows.length).toBeGreaterThan(0);
    await stage.hold();
    // Told of by name or not, everything is read again; and then it listens as before.
    await expect.poll(() => stream.events().filter((event) => isDeepStrictEqual(event, look)).length).toBeGreaterThanOrEqual(2);
    const next = await stage.hold();
    await expect.poll(stream.events).toContainEqual({ kind: 'approval_changed', id: next.approval });
    await stream.leave();
    await pool.end();
  });

  test('keeps a quiet line open, and ends when the session is too old', async () => {
    const viewer = await stage.viewer('approver');
    const [stays, ends] = [hear(valueOf(open(other, viewer, { everyMs: 50 }))), hear(valueOf(open(other, viewer, { everyMs: 50, signedInAt: new Date(Date.now() - 13 * hour).toISOString() })))];
    await expect.poll(ends.ended).toBe(true);
    await expect.poll(() => stays.text().split(': still here').length).toBeGreaterThan(2);
    expect([stays.ended(), ends.text().includes('still here')]).toEqual([false, false]);
    await stays.leave();
  });

  test('ends at once when the person signs out or is suspended, through another process too', async () => {
    const [leaver, suspended] = await Promise.all(['requester', 'second'].map((who) => stage.viewer(who)));
    if (!leaver || !suspended) throw new Error('Nobody looks.');
    const streams = [hear(valueOf(open(other, leaver))), hear(valueOf(open(other, suspended))), hear(valueOf(open(other, await stage.viewer('approver'))))];
    await signOut(stage.parts, { person: leaver.person });
    await expect.poll(streams[0]?.ended ?? fail).toBe(true);
    valueOf(await suspendPerson(stage.parts, stage.owner.person, suspended.person));
    await expect.poll(streams[1]?.ended ?? fail).toBe(true);
    expect(streams[2]?.ended()).toBe(false);
    await streams[2]?.leave();
  });

  test('a person has twenty at most, and one that was left makes room', async () => {
    const viewer = await stage.viewer('approver');
    const streams = Array.from({ length: 20 }, () => hear(valueOf(open(other, viewer))));
    expect(open(other, viewer)).toMatchObject({ ok: false, error: { code: 'rate_limited' } });
    expect(open(other, await stage.viewer('owner')).ok).toBe(true);
    await streams[0]?.leave();
    const again = open(other, viewer);
    expect(again.ok).toBe(true);
    await Promise.all([...streams.slice(1), hear(valueOf(again))].map((stream) => stream.leave()));
  });

  test('a reader who does not read is cut off, and keeps nothing in memory', async () => {
    const stream = valueOf(open(other, { ...(await stage.viewer('owner')), permissions: ['receipts.view'] }));
    const ids = Array.from({ length: 700 }, (_, at) => ({ kind: 'log_grew' as const, id: String(at) }));
    const before = ears[1]?.heard.length ?? 0;
    await other.transactor.withHead((tx) => other.events.publish(tx, ids));
    await ears[1]?.until(before + ids.length);
    const slow = hear(stream);
    await expect.poll(slow.ended).toBe(true);
    expect(slow.events().length).toBeLessThan(600);
  });
});

function fail(): never {
  throw new Error('There is no such stream.');
}
