import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

import { benchDatabaseName } from '@/lib/cli/bench-data/claim-workspace';
import { command as benchData } from '@/lib/cli/commands/bench-data';
import { openDatabase } from '@/lib/cli/open-database';
import { createDatabase, dropDatabase } from '@/lib/db/create-database';
import { migrate } from '@/lib/db/migrate';
import { createPool } from '@/lib/db/pool';
import { openWorkspace } from '@/lib/db/workspaces';
import { createStores } from '@/lib/db/create-stores';
import { projectRoot } from '@/lib/server/project-root';
import { randomIds } from '@/lib/server/random-ids';

import { appendRatio, type Log } from './ledger-append';
import { ledgerQuestions, type Question } from './ledger-questions';
import { percentile } from './percentile';

const usualReceipts = 5_000_000;
const timesEach = 40;
const emptyName = 'countersign_empty';

export type LedgerFigures = {
  readonly receipts: number;
  readonly list_p95_ms: number;
  readonly filter_p95_ms: number;
  readonly prove_p95_ms: number;
  readonly append_ratio: number;
  readonly count_p95_ms: number;
  readonly append_per_s: number;
  readonly append_empty_per_s: number;
  /** p95 of the slowest kinds of questions, each by itself. */
  readonly slowest_ms: Readonly<Record<string, number>>;
};

/**
 * What reading, proving and appending take on a long log: built by `countersign bench-data` on an embedded PostgreSQL in a temporary
 * directory, or, with `state`, on one that it has filled before. Everything goes through the stores that console and plane use.
 */
export async function benchLedger({ receipts = usualReceipts, state }: { readonly receipts?: number; readonly state?: string } = {}): Promise<LedgerFigures> {
  const temporary = state === undefined ? await mkdtemp(path.join(os.tmpdir(), 'countersign-ledger-')) : null;
  const stateDirectory = state ?? path.join(temporary ?? '', 'state');
  try {
    if (temporary !== null) await fill(receipts, stateDirectory);
    const database = await openDatabase(stateDirectory, undefined);
    try {
      return await measure(database.url);
    } finally {
      await database.close();
    }
  } finally {
    if (temporary !== null) await rm(temporary, { recursive: true, force: true });
  }
}

async function fill(receipts: number, stateDirectory: string): Promise<void> {
  const terminal = { out: () => undefined, err: (line: string) => void process.stderr.write(`${line}\n`), env: {} };
  const code = await benchData.run(['--receipts', String(receipts), '--state', stateDirectory], terminal);
  if (code !== 0) throw new Error('The log could not be filled.');
}

async function measure(url: string): Promise<LedgerFigures> {
  const pool = createPool({ url, max: 4, onIdleError: () => undefined });
  const hot = createPool({ url, max: 2, genericPlans: true, onIdleError: () => undefined });
  try {
    const workspace = await openWorkspace(pool, randomIds().make('workspace'), benchDatabaseName);
    const { log } = createStores(pool, workspace);
    const { size } = await log.head();
    const { list, filter, count, prove } = await ledgerQuestions(log);
    const slowest = new Map<string, number>();
    const p95 = async (area: string, questions: readonly Question[]): Promise<number> => {
      const all: number[] = [];
      for (const { name, ask } of questions) {
        const taken = await timesOf(ask);
        slowest.set(`${area}: ${name}`, round(percentile(taken, 95)));
        all.push(...taken);
      }
      return round(percentile(all, 95));
    };
    const read = {
      list_p95_ms: await p95('list', list),
      filter_p95_ms: await p95('filter', filter),
      prove_p95_ms: await p95('prove', prove),
      count_p95_ms: await p95('count', count),
    };
    const appended = await withEmptyLogs(url, (freshLog) => appendRatio({ pool: hot, workspace }, freshLog));
    const slow = [...slowest].sort(([, a], [, b]) => b - a).slice(0, 12);
    return { receipts: Number(size), ...read, ...appended, slowest_ms: Object.fromEntries(slow) };
  } finally {
    await Promise.all([pool.end(), hot.end()]);
  }
}

async function timesOf(ask: () => Promise<unknown>): Promise<readonly number[]> {
  const taken: number[] = [];
  for (let time = 0; time < timesEach; time++) {
    const begun = performance.now();
    await ask();
    taken.push(performance.now() - begun);
  }
  return taken;
}

/** Empty logs on the same server, each in a database of its own. */
async function withEmptyLogs<T>(url: string, work: (freshLog: () => Promise<Log>) => Promise<T>): Promise<T> {
  const admin = new URL(url);
  admin.pathname = '/postgres';
  const made: { readonly name: string; readonly pool: Log['pool'] }[] = [];
  const freshLog = async (): Promise<Log> => {
    const name = `${emptyName}_${String(made.length)}`;
    await dropDatabase(admin.href, name);
    const fresh = await createDatabase(admin.href, name);
    await migrate(fresh, path.join(projectRoot(), 'prisma', 'migrations'));
    const pool = createPool({ url: fresh, max: 2, genericPlans: true, onIdleError: () => undefined });
    made.push({ name, pool });
    return { pool, workspace: await openWorkspace(pool, randomIds().make('workspace'), benchDatabaseName) };
  };
  try {
    return await work(freshLog);
  } finally {
    for (const { name, pool } of made) {
      await pool.end();
      await dropDatabase(admin.href, name);
    }
  }
}

const round = (value: number): number => Math.round(value * 10) / 10;
