import fs from 'node:fs';
import path from 'node:path';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { createEmptyDatabase } from '@/lib/testing/database';
import { anAction, anApproval, aCredential, aDeferral, anEntry, aPerson, aSession, at, aVote, receipts } from '@/lib/testing/row-builders';
import { schemaDrift } from '@/lib/testing/schema-drift';
import { openTestStores, type TestStores } from '@/lib/testing/test-stores';

import { migrate } from './migrate';

let opened: TestStores;

beforeAll(async () => {
  opened = await openTestStores();
});

afterAll(() => opened.close());

const query = (sql: string) => opened.pool.query(sql);

describe('schema and migrations', () => {
  test('the comparison sees a column, an index and a nullability that differ', async () => {
    const altered = await openTestStores();
    await altered.pool.query(
      `ALTER TABLE "people" ADD COLUMN "nickname" text, ALTER COLUMN "name" DROP NOT NULL; DROP INDEX "people_workspace_id_email_key"`,
    );
    const drift = await schemaDrift(altered.url);
    for (const part of ['nickname', 'people_workspace_id_email_key', '"name" SET NOT NULL']) expect(drift).toContain(part);
    await altered.close();
  });

  test('the migrations run on an empty database, and a second time do nothing', async () => {
    const empty = await createEmptyDatabase();
    const directory = path.resolve(import.meta.dirname, '../../prisma/migrations');
    const names = fs.readdirSync(directory, { withFileTypes: true }).filter((entry) => entry.isDirectory()).map(({ name }) => name);
    expect(await migrate(empty.url, directory)).toEqual(names.toSorted());
    expect(await migrate(empty.url, directory)).toEqual([]);
    await empty.drop();
  });

  test('every table carries its workspace', async () => {
    const { rows } = await opened.pool.query<{ table_name: string }>(
      `SELECT table_name FROM information_schema.tables AS t WHERE table_schema = 'public' AND table_name NOT IN ('_prisma_migrations', 'workspaces')
         AND NOT EXISTS (SELECT 1 FROM information_schema.columns AS c
           WHERE c.table_schema = 'public' AND c.table_name = t.table_name AND c.column_name = 'workspace_id' AND c.is_nullable = 'NO')`,
    );
    expect(rows).toEqual([]);
  });
});

describe('what the database refuses', () => {
  beforeAll(async () => {
    const { transactor, ledger, sessions, approvals, credentials, actions, people } = opened.stores;
    const session = aSession();
    const approval = anApproval();
    const batch = await receipts(opened.workspace, 256);
    await transactor.withHead(async (tx) => {
      await ledger.append(tx, batch);
      await ledger.addCheckpoint(tx, 256n, 'note');
      await sessions.insert(tx, session);
      await sessions.addEntries(tx, [{ ...anEntry(1), session: session.id }]);
      await approvals.insert(tx, [approval]);
      await approvals.addVote(tx, aVote({ approval: approval.id }));
      await approvals.insertDeferrals(tx, [aDeferral()]);
      await credentials.add(tx, aCredential());
      await actions.insert(tx, [anAction()]);
      await people.add(tx, aPerson());
      await transactor.raiseEpoch(tx);
    });
  });

  test.each(['receipts', 'context_entries', 'ledger_tiles', 'checkpoints'])('%s are written once: no update, no delete, no truncate', async (table) => {
    for (const sql of [`UPDATE "${table}" SET "workspace_id" = 'x'`, `DELETE FROM "${table}"`, `TRUNCATE "${table}"`]) {
      await expect(query(sql), sql).rejects.toMatchObject({ code: 'LG001' });
    }
  });

  test.each(['UPDATE "votes" SET "verdict" = \'deny\'', 'DELETE FROM "votes"'])('a vote that was cast stays: %s', async (sql) => {
    await expect(query(sql)).rejects.toMatchObject({ code: 'LG001' });
  });

  test.each(['"size" = "size" - 1', '"epoch" = "epoch" - 1', `"logged_at" = "logged_at" - interval '1 ms'`])('the head never goes back: %s', async (change) => {
    await expect(query(`UPDATE "ledger_heads" SET ${change}`)).rejects.toMatchObject({ code: 'LG002' });
  });

  test.each([
    `UPDATE "credentials" SET "kind" = 'root'`,
    `UPDATE "sessions" SET "state" = 'paused'`,
    `UPDATE "actions" SET "decision" = 'MAYBE'`,
    `UPDATE "actions" SET "state" = 'done'`,
    `UPDATE "actions" SET "state" = 'permitted'`,
    `UPDATE "approvals" SET "state" = 'maybe'`,
    `UPDATE "approvals" SET "quorum" = 0`,
    `UPDATE "approvals" SET "approvers" = '{}'`,
    `UPDATE "deferrals" SET "state" = 'forgotten'`,
    `UPDATE "people" SET "email" = 'Ada@example.com'`,
    `INSERT INTO "votes" ("workspace_id", "approval_id", "person_id", "verdict", "at") VALUES ('w', 'a', 'p', 'approve', '${at}')`,
    `INSERT INTO "votes" ("workspace_id", "approval_id", "person_id", "verdict", "at") VALUES ('w', 'a', 'p', 'abstain', '${at}')`,
  ])('a row that the code cannot read: %s', async (sql) => {
    await expect(query(sql)).rejects.toMatchObject({ code: '23514' });
  });
});
