import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { mostSavedViews } from '@/lib/contracts/console/saved-views';
import type { PersonId } from '@/lib/shared/ids';
import { testConsole, valueOf } from '@/lib/testing/console-fixture';
import { openTestStores, type TestStores } from '@/lib/testing/test-stores';

import { deleteView, renameView } from './change-view';
import type { ConsoleParts } from './console-parts';
import { saveView } from './save-view';
import { savedViewsView } from './views/saved-views-view';

let database: TestStores;
let stateDirectory: string;
let parts: ConsoleParts;
let close: () => Promise<void>;

const ana = 'per_ana0123456789abcdefg' as PersonId;
const ben = 'per_ben0123456789abcdefg' as PersonId;

beforeAll(async () => {
  database = await openTestStores();
  stateDirectory = await mkdtemp(path.join(os.tmpdir(), 'countersign-views-'));
  ({ parts, close } = await testConsole({ databaseUrl: database.url, workspace: database.workspace, stateDirectory }));
});
afterAll(async () => {
  await close();
  await database.close();
  await rm(stateDirectory, { recursive: true, force: true });
});

const namesOf = async (person: PersonId) => (await savedViewsView(parts, person)).views.map(({ name }) => name);

describe('a saved view', () => {
  it('is found again under its name with the filters it was saved with', async () => {
    const { view } = valueOf(await saveView(parts, ana, { name: 'Refunds of today', filters: { span: 'today', tool: 'payments', revision: 3, text: 'refund' } }));
    expect((await savedViewsView(parts, ana)).views).toEqual([{ id: view, name: 'Refunds of today', filters: { span: 'today', tool: 'payments', revision: 3, text: 'refund' } }]);
  });

  it('is one person’s: nobody else finds, renames or deletes it', async () => {
    const [own] = (await savedViewsView(parts, ana)).views;
    if (!own) throw new Error('No view.');
    expect(await namesOf(ben)).toEqual([]);
    expect(await renameView(parts, ben, { view: own.id, name: 'Mine now' })).toMatchObject({ ok: false, error: { code: 'not_found' } });
    expect(await deleteView(parts, ben, own.id)).toMatchObject({ ok: false, error: { code: 'not_found' } });
    expect(await namesOf(ana)).toEqual(['Refunds of today']);
  });

  it('has a name of its own among the person’s views, and keeps it when renamed to itself', async () => {
    const { view } = valueOf(await saveView(parts, ana, { name: 'Denied', filters: { decision: 'DENY' } }));
    expect(await saveView(parts, ana, { name: 'Denied', filters: { agent: 'ops' } })).toMatchObject({ ok: false, error: { code: 'conflict' } });
    expect(await renameView(parts, ana, { view, name: 'Refunds of today' })).toMatchObject({ ok: false, error: { code: 'conflict' } });
    expect(await renameView(parts, ana, { view, name: 'Denied' })).toMatchObject({ ok: true });
    valueOf(await renameView(parts, ana, { view, name: 'All denials' }));
    expect(await namesOf(ana)).toEqual(['All denials', 'Refunds of today']);
    valueOf(await deleteView(parts, ana, view));
    expect(await namesOf(ana)).toEqual(['Refunds of today']);
  });

  it('is refused beyond the bound, also when many windows save at once', async () => {
    const saved = await Promise.all(Array.from({ length: mostSavedViews + 5 }, (_, n) => saveView(parts, ben, { name: `View ${String(n)}`, filters: { agent: `a${String(n)}` } })));
    expect(saved.filter(({ ok }) => ok)).toHaveLength(mostSavedViews);
    expect(saved.flatMap((one) => (one.ok ? [] : [one.error.code]))).toEqual(Array.from({ length: 5 }, () => 'conflict'));
  });

  it('whose filters this version does not know is listed, and can be deleted', async () => {
    const id = parts.ids.make('view');
    await parts.transactor.withHead(async (tx, { now }) => {
      await parts.savedViews.add(tx, ana, { id, name: 'From later', filters: '{"mood":"good"}', created_at: now });
    });
    expect((await savedViewsView(parts, ana)).views).toContainEqual({ id, name: 'From later', filters: null });
    valueOf(await deleteView(parts, ana, id));
  });
});
