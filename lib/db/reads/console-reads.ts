import type pg from 'pg';

import type { ConsoleReads } from '@/lib/ports/console-reads';

import { text, time } from '../columns';
import { rows, statement } from '../statements';
import { decisionReads } from './decision-reads';
import { deferralReads } from './deferral-reads';
import { pairingReads } from './pairing-reads';
import { queueReads } from './queue-reads';

const clock = statement('database_clock', `SELECT date_trunc('milliseconds', clock_timestamp()) AS "now"`);
const workspaceName = statement('workspace_name', 'SELECT "name" FROM "workspaces" WHERE "id" = $1');

/** What only the console's screens ask. Raw SQL: counts and keyset pages that an object mapper would turn into several queries. */
export const postgresConsoleReads = (pool: pg.Pool, workspace: string): ConsoleReads => ({
  now: async () => time((await rows(pool, clock, []))[0]?.['now']),
  workspaceName: async () => text((await rows(pool, workspaceName, [workspace]))[0]?.['name']),
  ...queueReads(pool, workspace),
  ...decisionReads(pool, workspace),
  ...deferralReads(pool, workspace),
  ...pairingReads(pool, workspace),
});

