import type pg from 'pg';

import type { ConsoleReads } from '@/lib/ports/console-reads';

import { time } from '../columns';
import { rows, statement } from '../statements';
import { decisionReads } from './decision-reads';
import { deferralReads } from './deferral-reads';
import { queueReads } from './queue-reads';

const clock = statement('database_clock', `SELECT date_trunc('milliseconds', clock_timestamp()) AS "now"`);

/** What only the console's screens ask. Raw SQL: counts and keyset pages that an object mapper would turn into several queries. */
export const postgresConsoleReads = (pool: pg.Pool, workspace: string): ConsoleReads => ({
  now: async () => time((await rows(pool, clock, []))[0]?.['now']),
  ...queueReads(pool, workspace),
  ...decisionReads(pool, workspace),
  ...deferralReads(pool, workspace),
});

