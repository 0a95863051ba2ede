import type pg from 'pg';

import type { PolicyTestsStore } from '@/lib/ports/policy-tests-store';

import { text } from './columns';
import { transactionOf } from './open-transaction';
import { rows, statement, touched } from './statements';

const add = statement('add_policy_tests', `INSERT INTO "policy_tests" ("workspace_id", "proposal_id", "text") VALUES ($1, $2, $3)`);
const find = statement('find_policy_tests', `SELECT "text" FROM "policy_tests" WHERE "workspace_id" = $1 AND "proposal_id" = $2`);
const inForce = statement(
  'policy_tests_in_force',
  `SELECT t."text" FROM "policy_tests" AS t JOIN "proposals" AS p ON p."workspace_id" = t."workspace_id" AND p."id" = t."proposal_id"
   WHERE t."workspace_id" = $1 AND p."state" = 'applied' ORDER BY p."revision" DESC NULLS LAST, p."ended_at" DESC LIMIT 1`,
);

export const postgresPolicyTestsStore = (pool: pg.Pool, workspace: string): PolicyTestsStore => ({
  add: async (tx, proposal, body) => void (await touched(transactionOf(tx).client, add, [workspace, proposal, body])),
  of: async (proposal) => (await rows(pool, find, [workspace, proposal])).map((row) => text(row['text']))[0],
  inForce: async () => (await rows(pool, inForce, [workspace])).map((row) => text(row['text']))[0],
});
