import type pg from 'pg';

import type { HashSource } from '@/lib/ledger/merkle/tiles';

import { bytes } from './columns';
import { rows, statement } from './statements';

const leafHashes = statement(
  'leaf_hashes',
  `SELECT "leaf_hash" AS "hash" FROM "receipts" WHERE "workspace_id" = $1 AND "index" >= $2 AND "index" < $3 ORDER BY "index"`,
);

const tileRoots = statement(
  'tile_roots',
  `SELECT "root" AS "hash" FROM "ledger_tiles" WHERE "workspace_id" = $1 AND "level" = $2 AND "index" >= $3 AND "index" < $4 ORDER BY "index"`,
);

/** The hashes that proofs are built from. A gap makes the answer short, which the prover refuses. */
export const postgresHashSource = (pool: pg.Pool, workspace: string): HashSource => ({
  leafHashes: async (from, to) => (await rows(pool, leafHashes, [workspace, from, to])).map((row) => bytes(row['hash'])),
  tileRoots: async (level, from, to) => (await rows(pool, tileRoots, [workspace, level, from, to])).map((row) => bytes(row['hash'])),
});
