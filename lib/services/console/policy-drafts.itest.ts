import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { PersonId } from '@/lib/shared/ids';
import { testConsole, valueOf } from '@/lib/testing/console-fixture';
import { openTestStores, type TestStores } from '@/lib/testing/test-stores';

import type { ConsoleParts } from './console-parts';
import { discardDraft, saveDraft } from './save-draft';
import { policyEditorView } from './views/policy-editor-view';

let database: TestStores;
let stateDirectory: string;
let parts: ConsoleParts;
let close: () => Promise<void>;

const ana = 'per_ana0123456789abcdefg' as PersonId;
const ben = 'per_ben0123456789abcdefg' as PersonId;
const write = (version: number, text: string) => ({ version, text, format: 'yaml' as const, tests: 'tests:\n', base: null });

beforeAll(async () => {
  database = await openTestStores();
  stateDirectory = await mkdtemp(path.join(os.tmpdir(), 'countersign-drafts-'));
  ({ parts, close } = await testConsole({ databaseUrl: database.url, workspace: database.workspace, stateDirectory }));
});
afterAll(async () => {
  await close();
  await database.close();
  await rm(stateDirectory, { recursive: true, force: true });
});

const draftOf = async (person: PersonId) => (await policyEditorView(parts, person)).draft;

describe('a draft', () => {
  it('is found again as it was left, a text that does not load included', async () => {
    expect(await draftOf(ana)).toBeNull();
    const saved = valueOf(await saveDraft(parts, ana, write(0, 'rules: [ not yet')));
    expect(await draftOf(ana)).toEqual({ ...saved, text: 'rules: [ not yet', format: 'yaml', tests: 'tests:\n', base: null });
  });

  it('is one person’s: nobody else reads it or throws it away', async () => {
    expect(await draftOf(ben)).toBeNull();
    expect(await discardDraft(parts, ben, 1)).toMatchObject({ ok: false, error: { code: 'conflict' } });
    valueOf(await saveDraft(parts, ben, write(0, 'of Ben')));
    expect((await draftOf(ana))?.text).toBe('rules: [ not yet');
  });

  it('is saved over by nobody who has not seen it, and the loser learns why', async () => {
    const { version } = valueOf(await saveDraft(parts, ana, write(1, 'second')));
    expect(version).toBe(2);
    expect(await saveDraft(parts, ana, write(1, 'late'))).toMatchObject({ ok: false, error: { code: 'conflict' } });
    expect(await saveDraft(parts, ana, write(0, 'new window'))).toMatchObject({ ok: false, error: { code: 'conflict' } });
    expect((await draftOf(ana))?.text).toBe('second');
  });

  it('is saved once of two saves at the same moment', async () => {
    const results = await Promise.all(Array.from({ length: 8 }, (_, at) => saveDraft(parts, ana, write(2, `window ${String(at)}`))));
    expect(results.filter(({ ok }) => ok)).toHaveLength(1);
  });

  it('changes nothing: no receipt is written, and no policy comes into force', async () => {
    const before = await parts.log.head();
    valueOf(await saveDraft(parts, ana, write(3, 'schema: countersign/policy/v1')));
    expect(await parts.log.head()).toEqual(before);
    expect((await parts.inForce.refresh()).policy).toBeNull();
  });

  it('is gone once thrown away', async () => {
    expect(await discardDraft(parts, ana, 3)).toMatchObject({ ok: false, error: { code: 'conflict' } });
    valueOf(await discardDraft(parts, ana, 4));
    expect(await draftOf(ana)).toBeNull();
    expect(await saveDraft(parts, ana, write(4, 'gone'))).toMatchObject({ ok: false, error: { code: 'conflict' } });
    expect(valueOf(await saveDraft(parts, ana, write(0, 'anew'))).version).toBe(1);
  });
});
