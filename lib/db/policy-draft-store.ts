import type pg from 'pg';

import type { PolicyDraftRow, PolicyDraftStore } from '@/lib/ports/policy-draft-store';
import { policyFormats } from '@/lib/policy/read-text';
import type { Digest } from '@/lib/shared/ids';

import { int, oneOf, orNull, text, time, type Row } from './columns';
import { rows, statement, touched } from './statements';

const read = statement('policy_draft', `SELECT "version", "text", "format", "tests", "base_revision", "base_digest", "saved_at" FROM "policy_drafts" WHERE "workspace_id" = $1 AND "person_id" = $2`);
const begin = statement(
  'begin_policy_draft',
  `INSERT INTO "policy_drafts" ("workspace_id", "person_id", "version", "text", "format", "tests", "base_revision", "base_digest", "saved_at")
   VALUES ($1, $2, 1, $3, $4, $5, $6, $7, clock_timestamp()) ON CONFLICT DO NOTHING RETURNING "version", "saved_at"`,
);
const go = statement(
  'save_policy_draft',
  `UPDATE "policy_drafts" SET "version" = "version" + 1, "text" = $3, "format" = $4, "tests" = $5, "base_revision" = $6, "base_digest" = $7, "saved_at" = clock_timestamp()
   WHERE "workspace_id" = $1 AND "person_id" = $2 AND "version" = $8 RETURNING "version", "saved_at"`,
);
const remove = statement('remove_policy_draft', `DELETE FROM "policy_drafts" WHERE "workspace_id" = $1 AND "person_id" = $2 AND "version" = $3`);

/** Each call is one statement, so that of two windows saving at once one wins and the other is told. */
export const postgresPolicyDraftStore = (pool: pg.Pool, workspace: string): PolicyDraftStore => ({
  of: async (person) => {
    const [row] = await rows(pool, read, [workspace, person]);
    return row && readDraft(row);
  },
  save: async (person, expected, draft) => {
    const values = [workspace, person, draft.text, draft.format, draft.tests, draft.base?.revision ?? null, draft.base?.digest ?? null];
    const [row] = await (expected === 0 ? rows(pool, begin, values) : rows(pool, go, [...values, expected]));
    return row && { version: int(row['version']), saved_at: time(row['saved_at']) };
  },
  remove: async (person, expected) => (await touched(pool, remove, [workspace, person, expected])) === 1,
});

function readDraft(row: Row): PolicyDraftRow {
  const revision = orNull(int)(row['base_revision']);
  return {
    version: int(row['version']),
    text: text(row['text']),
    format: oneOf(policyFormats)(row['format']),
    tests: text(row['tests']),
    base: revision === null ? null : { revision, digest: text(row['base_digest']) as Digest },
    saved_at: time(row['saved_at']),
  };
}
