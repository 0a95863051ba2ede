import type pg from 'pg';

import { rootOf } from '@/lib/ledger/merkle/frontier';
import type { AuthorityStore, DocumentRow, PolicyRow, SwitchRow } from '@/lib/ports/authority-store';
import type { Tx } from '@/lib/ports/transaction';

import { int, oneOf, text, time, type Row } from './columns';
import { readHead } from './head-row';
import { insertRows } from './insert-rows';
import { readingIn, transactionOf } from './open-transaction';
import { sha256 } from './sha256';
import { columnList, insertStatement, rows, statement, touched, type Columns } from './statements';

const documentColumns = { version: 'int4', envelope: 'text' } as const satisfies Columns;
const documents = (table: 'trust_roots' | 'rosters') => ({
  insert: insertStatement(table, documentColumns),
  read: statement(`read_${table}`, `SELECT ${columnList(documentColumns)} FROM "${table}" WHERE "workspace_id" = $1 ORDER BY "version"`),
});
const trustRoots = documents('trust_roots');
const rosters = documents('rosters');

const policyColumns = {
  revision: 'int4', digest: 'text', text: 'text', format: 'text', signature: 'text', statement: 'text', applied_by: 'text',
  applied_at: 'timestamptz',
} as const satisfies Columns;
const insertPolicies = insertStatement('policy_revisions', policyColumns);
const readPolicies = statement(
  'read_policies',
  `SELECT ${columnList(policyColumns)} FROM "policy_revisions" WHERE "workspace_id" = $1 ORDER BY "revision" DESC LIMIT $2`,
);

const readPoliciesOf = statement(
  'read_policies_of_digest',
  `SELECT ${columnList(policyColumns)} FROM "policy_revisions" WHERE "workspace_id" = $1 AND "digest" = $2 ORDER BY "revision" DESC LIMIT 5`,
);

const switchColumns = { scope: 'text', subject: 'text', thrown_by: 'text', thrown_at: 'timestamptz' } as const satisfies Columns;
const insertSwitches = insertStatement('switches', switchColumns);
const readSwitches = statement(
  'read_switches',
  `SELECT ${columnList(switchColumns)} FROM "switches" WHERE "workspace_id" = $1 AND "released_at" IS NULL ORDER BY "thrown_at"`,
);
const releaseSwitch = statement(
  'release_switch',
  `UPDATE "switches" SET "released_at" = $4 WHERE "workspace_id" = $1 AND "scope" = $2 AND "subject" = $3 AND "released_at" IS NULL`,
);

const readPosition = statement(
  'read_position',
  `SELECT "epoch", "size", "last_hash", "frontier", "logged_at", date_trunc('milliseconds', clock_timestamp()) AS "clock"
   FROM "ledger_heads" WHERE "workspace_id" = $1`,
);

export function postgresAuthorityStore(pool: pg.Pool, workspace: string): AuthorityStore {
  const on = (tx?: Tx) => (tx ? readingIn(tx).client : pool);

  async function position() {
    const [row] = await rows(pool, readPosition, [workspace]);
    if (!row) throw new Error(`The database has no workspace ${workspace}.`);
    return { head: readHead(row), now: time(row['clock']) };
  }

  return {
    trustRoots: async (tx) => (await rows(on(tx), trustRoots.read, [workspace])).map(readDocument),
    rosters: async (tx) => (await rows(on(tx), rosters.read, [workspace])).map(readDocument),
    policies: async (limit, tx) => (await rows(on(tx), readPolicies, [workspace, limit])).map(readPolicyRow),
    policiesOf: async (digest, tx) => (await rows(on(tx), readPoliciesOf, [workspace, digest])).map(readPolicyRow),
    addTrustRoot: async (tx, row) => {
      await insertRows(transactionOf(tx).client, trustRoots.insert, workspace, [row]);
    },
    addRoster: async (tx, row) => {
      await insertRows(transactionOf(tx).client, rosters.insert, workspace, [row]);
    },
    addPolicy: async (tx, row) => {
      await insertRows(transactionOf(tx).client, insertPolicies, workspace, [row]);
    },
    switches: async (tx) => (await rows(on(tx), readSwitches, [workspace])).map(readSwitch),
    throwSwitch: async (tx, row) => {
      await insertRows(transactionOf(tx).client, insertSwitches, workspace, [row]);
    },
    releaseSwitch: async (tx, scope, subject, at) =>
      (await touched(transactionOf(tx).client, releaseSwitch, [workspace, scope, subject, at])) > 0,
    position: async () => {
      const { head, now } = await position();
      return { epoch: head.epoch, size: BigInt(head.frontier.size), root: rootOf(sha256, head.frontier), now };
    },
  };
}

const readDocument = (row: Row): DocumentRow => ({ version: int(row['version']), envelope: text(row['envelope']) });

const readPolicyRow = (row: Row): PolicyRow => ({
  revision: int(row['revision']),
  digest: text(row['digest']),
  text: text(row['text']),
  format: oneOf(['yaml', 'json', 'markdown'])(row['format']),
  signature: text(row['signature']),
  statement: text(row['statement']),
  applied_by: text(row['applied_by']),
  applied_at: time(row['applied_at']),
});

const readSwitch = (row: Row): SwitchRow => ({
  scope: oneOf(['all', 'agent', 'tool'])(row['scope']),
  subject: text(row['subject']),
  thrown_by: text(row['thrown_by']),
  thrown_at: time(row['thrown_at']),
});
