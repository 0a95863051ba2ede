import fs from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';

import { benchWorkspace } from '@/lib/cli/bench-data/bench-workspace';
import { benchDatabaseName, claimBenchWorkspace, refusalOfState } from '@/lib/cli/bench-data/claim-workspace';
import { fillLog } from '@/lib/cli/bench-data/fill-log';
import { exitCode, type Command } from '@/lib/cli/command';
import { openDatabase } from '@/lib/cli/open-database';
import { printFault } from '@/lib/cli/print-fault';
import { UsageError } from '@/lib/cli/usage-error';
import { createStores } from '@/lib/db/create-stores';
import { createPool } from '@/lib/db/pool';
import { vacuumLog } from '@/lib/db/vacuum-log';
import { projectRoot } from '@/lib/server/project-root';

const usage = `usage: countersign bench-data --receipts N --state DIR [--database URL] [--threads N] [--json]

Fills an empty log with N valid receipts of made-up sessions: signed by delegated keys, chained, with tiles and checkpoints, so that
"fsck --log-only", export and verify pass. Only the log is made, nothing beside it: decisions cannot be re-derived, and the plane has
no sessions to go on with.
  --receipts N     how many the log has in the end
  --state DIR      state directory to make: keys, pin, and the database unless --database is given
  --database URL   an empty database
  --threads N      threads that make and sign receipts (default 2; 0: none beside this one)
  --json           figures as one line of JSON
Refuses a state directory or database in which anything is already, except its own of the same size.
Exit: 0 filled, 1 refused, 2 usage, or the database cannot be used.`;

/** Receipts are this far apart, up to this long: a busy half year for five million. */
const apartMs = 3_200;
const longestMs = 185 * 86_400_000;

export const command: Command = {
  usage,
  run: async (args, terminal) => {
    const { values } = parseArgs({
      args,
      options: { receipts: { type: 'string' }, state: { type: 'string' }, database: { type: 'string' }, threads: { type: 'string' }, json: { type: 'boolean' } },
    });
    const receipts = wholeNumber('--receipts', values.receipts, 1000);
    const threads = wholeNumber('--threads', values.threads ?? '2', 0);
    if (values.state === undefined) throw new UsageError('--state is missing.');
    const stateDirectory = path.resolve(values.state);
    const refusal = refusalOfState(stateDirectory);
    if (refusal) {
      printFault(terminal, refusal);
      return exitCode.refused;
    }
    fs.mkdirSync(stateDirectory, { recursive: true, mode: 0o700 });
    fs.writeFileSync(path.join(stateDirectory, benchDatabaseName), '');
    const database = await openDatabase(stateDirectory, values.database);
    const pool = createPool({ url: database.url, max: 2, genericPlans: true, onIdleError: () => undefined });
    try {
      const claimed = await claimBenchWorkspace(pool, receipts);
      if (!claimed.ok) {
        printFault(terminal, claimed.error);
        return exitCode.refused;
      }
      const begun = Date.now();
      if (!claimed.value.isFilled) {
        const stores = createStores(pool, claimed.value.workspace);
        const fromMs = begun - Math.min(longestMs, receipts * apartMs);
        const bench = await benchWorkspace(stores, claimed.value.workspace, stateDirectory, new Date(fromMs).toISOString());
        let told = 0;
        const onSize = (size: number): void => {
          if (size - told < 100_000) return;
          told = size;
          terminal.err(`${String(size)} receipts, ${String(Math.round((size * 1000) / (Date.now() - begun)))} a second`);
        };
        // In the bundle the thread's program lies beside this one; from sources there is the bundle that was made of them.
        const threadFile = new URL(`file://${path.join(projectRoot(), '.build', 'bench-data-thread.mjs')}`);
        await fillLog(bench, { receipts, fromMs, toMs: begun, threadFile, threads, onSize });
      }
      const seconds = (Date.now() - begun) / 1000;
      await vacuumLog(database.url);
      const found = { receipts, seconds: Math.round(seconds * 10) / 10, receipts_per_second: claimed.value.isFilled ? null : Math.round(receipts / seconds) };
      terminal.out(values.json === true ? `${JSON.stringify(found)}\n` : `${String(receipts)} receipts in ${String(found.seconds)} s.\n`);
      return exitCode.done;
    } finally {
      await pool.end();
      await database.close();
    }
  },
};

function wholeNumber(name: string, text: string | undefined, least: number): number {
  const number = Number(text);
  if (text === undefined || !/^\d+$/.test(text) || !Number.isSafeInteger(number) || number < least) throw new UsageError(`${name} takes a whole number from ${String(least)}.`);
  return number;
}
