import { expect, test } from 'vitest';

import type { ContextEntry, Provenance, Written } from '@/lib/context/entry';
import type { SessionStore } from '@/lib/ports/session-store';
import type { Transactor } from '@/lib/ports/transaction';
import { aDigest, anAction, anEntry, aSession, at, later } from '@/lib/testing/row-builders';

export type SessionFixture = { readonly transactor: Transactor; readonly sessions: SessionStore };

const anOutcome = (writes: Written): ContextEntry => ({
  kind: 'outcome', at, action: anAction().id, status: 'succeeded', reporter: 'agent', trusted: false, output: '', labels: [], writes,
});

export function sessionConformance(open: () => SessionFixture): void {
  const insert = async (session: ReturnType<typeof aSession>) => {
    await open().transactor.withHead((tx) => open().sessions.insert(tx, session));
    return session;
  };

  test('a session comes back as it was opened, and an unknown one is missing', async () => {
    const parent = await insert(aSession({ expected_scope: 'mail of today' }));
    const child = await insert(aSession({ parent: parent.id }));
    const found = await open().sessions.find([parent.id, child.id, aSession().id]);
    expect([...found.values()]).toEqual(expect.arrayContaining([parent, child]));
    expect(found.size).toBe(2);
    expect(await open().sessions.find([])).toEqual(new Map());
  });

  test('heads move only from where they are, several at once, and a chain of moves of one session counts as its ends', async () => {
    const { transactor, sessions } = open();
    const [a, b] = [await insert(aSession()), await insert(aSession())];
    const [one, two] = [aDigest('one'), aDigest('two')];
    await transactor.withHead((tx) =>
      sessions.moveHeads(tx, [
        { session: a.id, from: a.head, to: one, seq: 1, at: later },
        { session: b.id, from: b.head, to: one, seq: 1, at: later },
        { session: a.id, from: one, to: two, seq: 2, at: later },
      ]),
    );
    const moved = await sessions.find([a.id, b.id]);
    expect(moved.get(a.id)).toMatchObject({ head: two, seq: 2, last_at: later });
    expect(moved.get(b.id)).toMatchObject({ head: one, seq: 1 });
    const stale = { session: a.id, from: one, to: aDigest('three'), seq: 3, at: later };
    await expect(transactor.withHead((tx) => sessions.moveHeads(tx, [stale]))).rejects.toThrow('heads');
    expect((await sessions.find([a.id])).get(a.id)?.head).toBe(two);
  });

  test('closing works once', async () => {
    const { transactor, sessions } = open();
    const session = await insert(aSession());
    const close = () => transactor.withHead((tx) => sessions.close(tx, session.id, later));
    expect([await close(), await close()]).toEqual([true, false]);
    expect((await sessions.find([session.id])).get(session.id)?.state).toBe('closed');
  });

  test('entries come back in order and unchanged, all or those after a place', async () => {
    const { transactor, sessions } = open();
    const session = await insert(aSession());
    const entries = [1, 2, 3].map(anEntry);
    await transactor.withHead((tx) => sessions.addEntries(tx, entries.map((entry) => ({ ...entry, session: session.id }))));
    expect(await sessions.entries(session.id, 0)).toEqual(entries);
    expect(await sessions.entries(session.id, 2)).toEqual(entries.slice(2));
    expect(await sessions.entries(aSession().id, 0)).toEqual([]);
  });

  test('no place in a chain is taken twice', async () => {
    const { transactor, sessions } = open();
    const session = await insert(aSession());
    const add = () => transactor.withHead((tx) => sessions.addEntries(tx, [{ ...anEntry(1), session: session.id }]));
    await add();
    await expect(add()).rejects.toThrow();
  });

  test('sessions that are idle or too old are found while open, and no others', async () => {
    const { transactor, sessions } = open();
    const idle = await insert(aSession({ opened_at: later, last_at: at }));
    const outlived = await insert(aSession({ opened_at: later, began_at: at, last_at: later }));
    const old = await insert(aSession({ opened_at: at, last_at: later }));
    await insert(aSession({ opened_at: later, last_at: later }));
    const closed = await insert(aSession());
    await transactor.withHead((tx) => sessions.close(tx, closed.id, later));
    expect((await sessions.ended(later, later, 10)).toSorted()).toEqual([idle.id, old.id, outlived.id].toSorted());
    expect(await sessions.ended(later, later, 1)).toHaveLength(1);
  });

  test('what entries wrote is found by whoever reads it, and only rises', async () => {
    const { transactor, sessions } = open();
    const [a, b] = [aSession().id, aSession().id];
    let seq = 0;
    const write = (session: typeof a, resources: readonly string[], labels: readonly string[], origin: Provenance) =>
      transactor.withHead((tx) => sessions.addEntries(tx, [{ ...anEntry(++seq), session, entry: anOutcome({ resources, labels, origin }) }]));
    const [orders, below] = ['test:orders', 'test:**'];
    await write(a, [orders], ['PII'], 'trusted_output');
    expect(await sessions.written([orders, 'test:other'])).toEqual([{ key: orders, labels: ['PII'], origin: 'trusted_output', session: a }]);
    await write(b, [orders], ['INTERNAL'], 'untrusted_output');
    await write(b, [orders], [], 'request');
    expect(await sessions.written([orders])).toEqual([{ key: orders, labels: ['INTERNAL', 'PII'], origin: 'untrusted_output', session: b }]);
    await write(a, [orders, 'test:customers'], ['INTERNAL', 'PII'], 'request');
    expect(await sessions.written([below])).toEqual([{ key: below, labels: ['INTERNAL', 'PII'], origin: 'untrusted_output', session: b }]);
  });

  test('several entries of one commit that write the same lay down the worst of each', async () => {
    const { transactor, sessions } = open();
    const session = aSession().id;
    const entry = (seq: number, labels: readonly string[], origin: Provenance) => ({ ...anEntry(seq), session, entry: anOutcome({ resources: ['test:both'], labels, origin }) });
    await transactor.withHead((tx) => sessions.addEntries(tx, [entry(1, ['PII'], 'nowhere'), entry(2, ['PHI'], 'request')]));
    expect(await sessions.written(['test:both'])).toEqual([{ key: 'test:both', labels: ['PHI', 'PII'], origin: 'nowhere', session }]);
  });

  test('the open children of a session are found, and only they', async () => {
    const { transactor, sessions } = open();
    const parent = await insert(aSession());
    const [one, two] = [await insert(aSession({ parent: parent.id })), await insert(aSession({ parent: parent.id }))];
    await insert(aSession({ parent: one.id }));
    await transactor.withHead((tx) => sessions.close(tx, two.id, later));
    expect(await sessions.openChildren(parent.id)).toEqual([one.id]);
  });

  test('a session that a person changed is found until it was looked at, and again when it changed meanwhile', async () => {
    const { transactor, sessions } = open();
    const session = await insert(aSession());
    const marked = async () => (await sessions.toLookAt(100)).filter((one) => one.session === session.id);
    const change = (when: string) => transactor.withHead((tx) => sessions.lookAgain(tx, session.id, when));
    expect(await marked()).toEqual([]);
    await change(at);
    const [first] = await marked();
    expect(first).toEqual({ session: session.id, at });
    // In the very same millisecond: it is another change all the same.
    await change(at);
    await sessions.lookedAt(session.id, at);
    const [second] = await marked();
    expect(second?.at).not.toBe(at);
    await sessions.lookedAt(session.id, second?.at ?? at);
    expect(await marked()).toEqual([]);
  });

  test('permits of a family come back in order, and no number is given twice', async () => {
    const { transactor, sessions } = open();
    const [root, child] = [aSession().id, aSession().id];
    const permit = (session: typeof root, seq: number, n: number) => {
      const entry: ContextEntry = {
        kind: 'permit', at, action: anAction().id, tool: 'mail', operation: 'send', effect: 'communicate', decision: 'ALLOW', labels: ['PII'], recipients: [], parameters: {}, amount: 0.1 + n, family: { root, n },
        ...(n === 2 ? { effects: ['communicate', 'write'] } : {}),
      };
      return transactor.withHead((tx) => sessions.addEntries(tx, [{ ...anEntry(seq), session, entry }]));
    };
    await permit(root, 1, 1);
    await permit(child, 1, 2);
    await expect(permit(root, 2, 2)).rejects.toThrow();
    expect((await sessions.familyPermits(root, 0)).map(({ n, session, prior }) => [n, session, prior.tool, prior.labels, prior.amount, prior.effect, prior.effects])).toEqual([
      [1, root, 'mail', ['PII'], 1.1, 'communicate', undefined], [2, child, 'mail', ['PII'], 2.1, 'communicate', ['communicate', 'write']],
    ]);
    expect((await sessions.familyPermits(root, 1)).map(({ n }) => n)).toEqual([2]);
    expect(await sessions.familyPermits(child, 0)).toEqual([]);
    expect(await sessions.entries(root, 0)).toHaveLength(1);
  });
}
