import type pg from 'pg';

import { shadowEnds, type ShadowRow, type ShadowStore } from '@/lib/ports/shadow-store';
import { changedDecisionSchema } from '@/lib/policy/replay-report';
import { canonicalJson } from '@/lib/shared/canonical-json';
import { asJson } from '@/lib/shared/as-json';
import type { PersonId, ProposalId } from '@/lib/shared/ids';

import { big, int, oneOf, orNull, text, time, type Row } from './columns';
import { insertRows } from './insert-rows';
import { readingIn, transactionOf } from './open-transaction';
import { insertStatement, rows, statement, touched, type Columns } from './statements';

const columns = `"proposal_id", "started_by", "started_at", "ends_at", "ended_at", "ended_why", "next", "receipts", "decisions", "replayed", "differing", "counts"`;
const find = statement('find_shadow', `SELECT ${columns} FROM "shadows" WHERE "workspace_id" = $1 AND "proposal_id" = $2`);
const running = statement('running_shadows', `SELECT ${columns} FROM "shadows" WHERE "workspace_id" = $1 AND "ended_at" IS NULL ORDER BY "started_at", "proposal_id"`);
const forget = statement(
  'forget_shadow_differences',
  `DELETE FROM "shadow_differences" AS d USING "shadows" AS s
   WHERE d."workspace_id" = $1 AND d."proposal_id" = $2 AND s."workspace_id" = $1 AND s."proposal_id" = $2 AND s."ended_at" IS NOT NULL`,
);
const begin = statement(
  'begin_shadow',
  `INSERT INTO "shadows" AS s ("workspace_id", "proposal_id", "started_by", "started_at", "ends_at", "next", "receipts", "decisions", "replayed", "differing", "counts")
     VALUES ($1, $2, $3, $4, $5, $6, 0, 0, 0, 0, '{}')
   ON CONFLICT ("workspace_id", "proposal_id") DO UPDATE SET "started_by" = $3, "started_at" = $4, "ends_at" = $5, "ended_at" = NULL, "ended_why" = NULL, "next" = $6,
     "receipts" = 0, "decisions" = 0, "replayed" = 0, "differing" = 0, "counts" = '{}'
   WHERE s."ended_at" IS NOT NULL`,
);
const advance = statement(
  'advance_shadow',
  `UPDATE "shadows" SET "next" = $4, "receipts" = $5, "decisions" = $6, "replayed" = $7, "differing" = $8, "counts" = $9
   WHERE "workspace_id" = $1 AND "proposal_id" = $2 AND "next" = $3 AND "ended_at" IS NULL`,
);
const end = statement('end_shadow', `UPDATE "shadows" SET "ended_at" = $3, "ended_why" = $4 WHERE "workspace_id" = $1 AND "proposal_id" = $2 AND "ended_at" IS NULL`);
const differenceColumns = { proposal_id: 'text', index: 'int8', body: 'text' } as const satisfies Columns;
const addDifferences = insertStatement('shadow_differences', differenceColumns);
const differences = statement('shadow_differences', `SELECT "body" FROM "shadow_differences" WHERE "workspace_id" = $1 AND "proposal_id" = $2 ORDER BY "index" DESC LIMIT $3`);

export const postgresShadowStore = (pool: pg.Pool, workspace: string): ShadowStore => ({
  find: async (proposal, tx) => (await rows(tx ? readingIn(tx).client : pool, find, [workspace, proposal])).map(readShadow)[0],
  running: async () => (await rows(pool, running, [workspace])).map(readShadow),
  begin: async (tx, { proposal, started_by, started_at, ends_at, next }) => {
    const { client } = transactionOf(tx);
    await touched(client, forget, [workspace, proposal]);
    return (await touched(client, begin, [workspace, proposal, started_by, started_at, ends_at, next])) === 1;
  },
  advance: async (tx, proposal, from, found, changed) => {
    const { client } = transactionOf(tx);
    const { next, receipts, decisions, replayed, differing, counts } = found;
    if ((await touched(client, advance, [workspace, proposal, from, next, receipts, decisions, replayed, differing, counts])) !== 1) return false;
    await insertRows(client, addDifferences, workspace, changed.map((row) => ({ proposal_id: proposal, index: row.index, body: canonicalJson(asJson(row)) })));
    return true;
  },
  end: async (tx, proposal, at, why) => (await touched(transactionOf(tx).client, end, [workspace, proposal, at, why])) === 1,
  differences: async (proposal, limit) => (await rows(pool, differences, [workspace, proposal, limit])).map((row) => changedDecisionSchema.parse(JSON.parse(text(row['body'])))),
});

const readShadow = (row: Row): ShadowRow => ({
  proposal: text(row['proposal_id']) as ProposalId,
  started_by: text(row['started_by']) as PersonId,
  started_at: time(row['started_at']),
  ends_at: time(row['ends_at']),
  ended_at: orNull(time)(row['ended_at']),
  ended_why: orNull(oneOf(shadowEnds))(row['ended_why']),
  next: big(row['next']),
  receipts: int(row['receipts']),
  decisions: int(row['decisions']),
  replayed: int(row['replayed']),
  differing: int(row['differing']),
  counts: text(row['counts']),
});
