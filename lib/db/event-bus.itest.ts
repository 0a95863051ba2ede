import net from 'node:net';

import pg from 'pg';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { listen } from '@/lib/testing/conformance/event-conformance';
import { listenBefore } from '@/lib/testing/listen-before';
import { openTestStores, type TestStores } from '@/lib/testing/test-stores';

import { postgresEventBus } from './event-bus';

let opened: TestStores;

beforeEach(async () => {
  opened = await openTestStores();
});

afterEach(() => opened.close());

const listening = `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'LISTEN%'`;

describe('the event bus on PostgreSQL', () => {
  test('after a break it listens again and says that something may have been missed', async () => {
    const { events, transactor } = opened.stores;
    const ear = listen(events);
    await ear.begun(1);
    await opened.pool.query(`SELECT pg_terminate_backend(pid) FROM (${listening}) AS l`);
    await ear.begun(2);
    await transactor.withHead((tx) => events.publish(tx, [{ kind: 'session_changed', id: 'ses_1' }]));
    await ear.until(1);
    expect(ear.heard).toEqual([{ kind: 'session_changed', id: 'ses_1' }]);
    ear.stop();
  });

  test('a connection that is dead and does not say so is noticed, and what was missed is said to be', async () => {
    const sockets = new Set<net.Socket>();
    const dead = new Set<net.Socket>();
    const to = new URL(opened.url);
    const proxy = net.createServer((from) => {
      const onward = net.connect(Number(to.port), to.hostname);
      for (const [one, other] of [[from, onward], [onward, from]] as const) {
        sockets.add(one);
        one.on('data', (chunk) => void (dead.has(one) || other.write(chunk)));
        one.on('error', () => undefined);
      }
    });
    const before = await listenBefore(opened.url, proxy, sockets);
    const ear = listen(postgresEventBus(opened.workspace, () => new pg.Client({ connectionString: before.url, connectionTimeoutMillis: 1000 }), 200));
    await ear.begun(1);
    // Nothing goes through what is open now, and nothing of it is closed.
    for (const socket of sockets) dead.add(socket);
    const { events, transactor } = opened.stores;
    await transactor.withHead((tx) => events.publish(tx, [{ kind: 'session_changed', id: 'ses_missed' }]));
    await ear.begun(2);
    await transactor.withHead((tx) => events.publish(tx, [{ kind: 'session_changed', id: 'ses_1' }]));
    await expect.poll(() => ear.heard.at(-1)).toEqual({ kind: 'session_changed', id: 'ses_1' });
    ear.stop();
    await before.close();
  });

  test('keeps no connection without a subscriber, and one for any number of them', async () => {
    const count = async () => (await opened.pool.query(listening)).rows.length;
    const { events } = opened.stores;
    expect(await count()).toBe(0);
    const [one, two] = [listen(events), listen(events)];
    await Promise.all([one.begun(1), two.begun(1)]);
    expect(await count()).toBe(1);
    one.stop();
    two.stop();
    await expect.poll(count).toBe(0);
    const again = listen(events);
    await again.begun(1);
    again.stop();
  });

  test('what others send on the channel and what is no event is not passed on', async () => {
    const { events, transactor } = opened.stores;
    const ear = listen(events);
    await ear.begun(1);
    for (const payload of ['', 'nonsense', 'constructor:1', '{"kind":"action_changed"}']) {
      await opened.pool.query('SELECT pg_notify($1, $2)', [`countersign_${opened.workspace}`, payload]);
    }
    await transactor.withHead((tx) => events.publish(tx, [{ kind: 'epoch_raised', id: '3' }]));
    await ear.until(1);
    expect(ear.heard).toEqual([{ kind: 'epoch_raised', id: '3' }]);
    ear.stop();
  });
});
