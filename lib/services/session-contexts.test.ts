import { describe, expect, test } from 'vitest';

import { entryHash } from '@/lib/context/entry-hash';
import type { ChainedEntry, ContextEntry } from '@/lib/context/entry';
import type { SessionRow } from '@/lib/ports/session-store';
import { nodeSha256 } from '@/lib/server/node-sha256';
import { fail, ok } from '@/lib/shared/result';
import type { SessionId } from '@/lib/shared/ids';
import { at, outcome, permit, request } from '@/lib/testing/context-builders';
import { aSession } from '@/lib/testing/row-builders';

import { sessionContexts, type ProveEntries } from './session-contexts';

/** Chains in memory, and from where each was read. */
function chains() {
  const rows = new Map<SessionId, SessionRow>();
  const entries = new Map<SessionId, ChainedEntry[]>();
  const read: { readonly id: SessionId; readonly after: number }[] = [];
  return {
    rows, entries, read,
    store: {
      find: async (ids: readonly SessionId[]) => new Map(ids.flatMap((id) => { const row = rows.get(id); return row ? [[id, row] as const] : []; })),
      entries: async (id: SessionId, after: number) => { read.push({ id, after }); return (entries.get(id) ?? []).filter(({ seq }) => seq > after); },
    },
    open: (fields: Partial<SessionRow> = {}) => {
      const row = aSession({ head: null as never, ...fields });
      rows.set(row.id, row);
      entries.set(row.id, []);
      return row.id;
    },
    add: (id: SessionId, entry: ContextEntry): ChainedEntry => {
      const row = rows.get(id);
      const chain = entries.get(id);
      if (!row || !chain) throw new Error('No such session.');
      const seq = chain.length + 1;
      const chained = { seq, hash: entryHash(nodeSha256, chain.at(-1)?.hash ?? null, entry, seq), entry };
      chain.push(chained);
      rows.set(id, { ...row, head: chained.hash, seq });
      return chained;
    },
  };
}
const believe: ProveEntries = async () => ok(null);
const labelsOf = (contexts: ReturnType<typeof sessionContexts>, id: SessionId) => contexts.exclusively(id, async (session) => session?.state.labels.current());

describe('the sessions that a plane knows', () => {
  test('what another process added is taken in from where it goes on, not from the beginning', async () => {
    const db = chains();
    const contexts = sessionContexts(db.store, believe, nodeSha256);
    const id = db.open();
    for (let i = 0; i < 500; i++) db.add(id, i === 0 ? request('x') : permit(i, 'email.read', { id: 'm1' }));
    await labelsOf(contexts, id);
    db.add(id, outcome(1, 'x', { labels: ['PII'] }));
    await contexts.exclusively(id, async () => expect((await contexts.reload(id))?.state).toMatchObject({ seq: 501 }));
    expect(db.read).toEqual([{ id, after: 0 }, { id, after: 500 }]);
    expect(await labelsOf(contexts, id)).toEqual(['PII']);
  });

  test('a session that is not what was signed is not used, and what was known of it is forgotten', async () => {
    const db = chains();
    let believed = true;
    const contexts = sessionContexts(db.store, async () => (believed ? ok(null) : fail('ledger_broken', 'Altered.')), nodeSha256);
    const id = db.open();
    db.add(id, request('x'));
    await labelsOf(contexts, id);
    believed = false;
    await expect(contexts.exclusively(id, async () => await contexts.reload(id))).rejects.toThrow('Altered');
    await expect(labelsOf(contexts, id)).rejects.toThrow('Altered');
    believed = true;
    await labelsOf(contexts, id);
    expect(db.read.at(-1)).toEqual({ id, after: 0 });
  });

  test('a row that went back makes nothing that was seen forgotten', async () => {
    const db = chains();
    const contexts = sessionContexts(db.store, believe, nodeSha256);
    const id = db.open();
    const first = db.add(id, request('x'));
    db.add(id, permit(1, 'email.read', { id: 'm1' }));
    await labelsOf(contexts, id);
    db.rows.set(id, { ...(db.rows.get(id) ?? aSession()), head: first.hash, seq: 1 });
    for (let turn = 0; turn < 2; turn++) await expect(contexts.exclusively(id, async () => await contexts.reload(id))).rejects.toThrow('fewer steps');
  });

  test('work that fails leaves nothing half done in memory', async () => {
    const db = chains();
    const contexts = sessionContexts(db.store, believe, nodeSha256);
    const id = db.open();
    db.add(id, request('x'));
    await expect(contexts.exclusively(id, async () => { throw new Error('Broken off.'); })).rejects.toThrow('Broken off');
    await labelsOf(contexts, id);
    expect(db.read).toHaveLength(2);
  });

  test('how many sessions and how much of them is kept is bounded; the least recently used leave first', async () => {
    const db = chains();
    const contexts = sessionContexts(db.store, believe, nodeSha256, { sessions: 2, forms: 1_000 });
    const ids = [1, 2, 3].map(() => { const id = db.open(); db.add(id, request('a few words')); return id; });
    for (const id of ids) await labelsOf(contexts, id);
    const [one, , three] = ids;
    if (!one || !three) throw new Error('Three sessions.');
    await labelsOf(contexts, three);
    expect(db.read).toHaveLength(3);
    await labelsOf(contexts, one);
    expect(db.read).toHaveLength(4);
    const large = db.open();
    db.add(large, request(Array.from({ length: 2_000 }, (_, i) => `word${String(i)}`).join(' ')));
    await labelsOf(contexts, large);
    await labelsOf(contexts, one);
    expect(db.read).toHaveLength(6);
  });
});

describe('a child session', () => {
  const family = (db: ReturnType<typeof chains>) => {
    const parent = db.open();
    db.add(parent, request('x'));
    db.add(parent, permit(1, 'email.read', { id: 'm1' }, { labels: ['PII'] }));
    const id = db.open({ parent });
    const told = db.add(parent, { kind: 'delegation', at, child: id, event: 'opened' });
    db.add(id, { kind: 'inherited', at, parent, parent_head: told.hash, parent_seq: told.seq, delegation: [{ session: parent, agent: 'clerk', family_n: 0 }], began_at: at });
    return { parent, id };
  };

  test('begins from the entries of its parent up to the head that it names', async () => {
    const db = chains();
    const { parent, id } = family(db);
    db.add(parent, permit(2, 'email.read', { id: 'm1' }, { labels: ['PHI'] }));
    expect(await labelsOf(sessionContexts(db.store, believe, nodeSha256), id)).toEqual(['PII']);
  });

  test('is not used when the entries of its parent are not those', async () => {
    const db = chains();
    const { parent, id } = family(db);
    const altered = db.entries.get(parent)?.[1];
    if (altered?.entry.kind !== 'permit') throw new Error('The second entry is a permit.');
    db.entries.set(parent, (db.entries.get(parent) ?? []).map((one) => (one === altered ? { ...altered, entry: { ...permit(1, 'email.read', { id: 'm1' }) } } : one)));
    await expect(labelsOf(sessionContexts(db.store, believe, nodeSha256), id)).rejects.toThrow('goes on from');
  });

  test('takes turns with the other sessions of its family, while those of others go on', async () => {
    const db = chains();
    const { parent, id } = family(db);
    const other = db.open();
    db.add(other, request('x'));
    const contexts = sessionContexts(db.store, believe, nodeSha256);
    const order: string[] = [];
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => { release = resolve; });
    let begun = (): void => undefined;
    const inside = new Promise<void>((resolve) => { begun = resolve; });
    const first = contexts.exclusively(parent, async () => {
      begun();
      await held;
      order.push('parent');
    });
    await inside;
    const second = contexts.exclusively(id, async () => void order.push('child'));
    await contexts.exclusively(other, async () => void order.push('other'));
    release();
    await Promise.all([first, second]);
    expect(order).toEqual(['other', 'parent', 'child']);
  });
});
