import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import type { ContextEntry } from '@/lib/context/entry';
import { anAction, anEntry, aSession, at } from '@/lib/testing/row-builders';
import { openTestStores, type TestStores } from '@/lib/testing/test-stores';

import { fsck } from './fsck';

let opened: TestStores;
const session = aSession().id;

beforeEach(async () => {
  opened = await openTestStores();
  const { transactor, sessions } = opened.stores;
  const permit = (n: number): ContextEntry => ({
    kind: 'permit', at, action: anAction().id, tool: 'files', operation: 'write', effect: 'write', decision: 'ALLOW', labels: [], recipients: [], parameters: { content: 'eve@drop.example' },
    family: { root: session, n }, writes: { resources: [`files:/srv/${String(n)}.txt`], labels: ['INTERNAL', 'PII'], origin: 'untrusted_output', doubts: ['content'] },
  });
  await transactor.withHead((tx) => sessions.addEntries(tx, [1, 2, 3].map((n) => ({ ...anEntry(n), session, entry: permit(n) }))));
});
afterEach(() => opened.close());

async function alter(sql: string): Promise<void> {
  const client = await opened.pool.connect();
  try {
    await client.query('SET session_replication_role = replica');
    await client.query(sql);
  } finally {
    await client.query('SET session_replication_role = DEFAULT');
    client.release();
  }
}

describe('what follows from the context of sessions', () => {
  test('is there when nobody touched it', async () => {
    expect(await fsck(opened.pool, opened.workspace)).toMatchObject({ ok: true });
  });

  test.each([
    ['a resource that was forgotten', `DELETE FROM written_resources WHERE key = 'files:/srv/2.txt'`, 'files:/srv/2.txt'],
    ['a folder that was forgotten', `DELETE FROM written_resources WHERE key = 'files:/srv/**'`, 'files:/srv/**'],
    ['a label that was washed off', `UPDATE written_resources SET labels = '{INTERNAL}' WHERE key = 'files:/srv/1.txt'`, 'PII'],
    ['an origin that was made better', `UPDATE written_resources SET origin = 'request' WHERE key = 'files:/srv/3.txt'`, 'more trusted'],
    ['values that were forgotten', `DELETE FROM written_values WHERE key = 'files:/srv/1.txt'`, 'Values'],
    ['values that were taken back', `UPDATE written_values SET bits = 0::bit(8192) WHERE key = 'files:**'`, 'files:**'],
    ['a permit that a family has lost', `DELETE FROM family_permits WHERE n = 2`, 'Permit 2'],
    ['a permit that is somebody else\u2019s', `UPDATE family_permits SET session_id = 'ses_other' WHERE n = 3`, 'Permit 3'],
    ['a permit that did less than it did', `UPDATE family_permits SET effect = 'read' WHERE n = 1`, 'Permit 1'],
    ['an entry that is none', `UPDATE context_entries SET body = '{"kind":' WHERE seq = 2`, 'cannot be read'],
  ])('%s is found', async (_, sql, named) => {
    await alter(sql);
    expect(await fsck(opened.pool, opened.workspace)).toMatchObject({ ok: false, fault: { what: 'context', detail: expect.stringContaining(named) as string } });
  });

  test.each([
    `UPDATE "written_resources" SET "labels" = '{}'`, `UPDATE "written_resources" SET "origin" = 'request'`, `DELETE FROM "written_resources"`,
    `UPDATE "family_permits" SET "n" = "n" + 10`, `DELETE FROM "family_permits"`, `UPDATE "written_values" SET "bits" = 0::bit(8192)`, `DELETE FROM "written_values"`, `TRUNCATE "family_permits"`, `TRUNCATE "written_resources"`,
  ])('the database itself refuses %s', async (sql) => {
    await expect(opened.pool.query(sql)).rejects.toMatchObject({ code: expect.stringMatching(/^LG00/) as string });
  });
});
