import { chunkMaker, type ChunkMakerSettings } from '@/lib/cli/bench-data/make-chunk';
import { policyOf } from '@/lib/cli/bench-data/bench-workspace';
import { createStores, type Stores } from '@/lib/db/create-stores';
import type { createPool } from '@/lib/db/pool';
import { originOf, signCheckpoint } from '@/lib/ledger/checkpoint';
import type { SignedReceipt } from '@/lib/ports/ledger-store';
import { generateKey } from '@/lib/server/ed25519';
import { nodeSha256 } from '@/lib/server/node-sha256';
import { randomIds } from '@/lib/server/random-ids';
import { fileKey } from '@/lib/cli/temporary-plane';
import type { WorkspaceId } from '@/lib/shared/ids';

import { median } from './percentile';

const batch = 64;
const batchesAtOnce = 100;
const pairs = 5;

export type Log = { readonly pool: ReturnType<typeof createPool>; readonly workspace: WorkspaceId };

/**
 * Throughput of appending to the long log by that to an empty one: batches of 64 as the plane commits them (rows, tiles, head,
 * signed checkpoint, one transaction each), signed before. The two take turns batch by batch, so that whatever else the machine does
 * falls on both; each pair gets a fresh empty log, and the median of five pairs counts.
 */
export async function appendRatio(long: Log, freshLog: () => Promise<Log>): Promise<{ readonly append_ratio: number; readonly append_per_s: number; readonly append_empty_per_s: number }> {
  const rates: { readonly long: number; readonly empty: number }[] = [];
  for (let pair = 0; pair < pairs; pair++) {
    const empty = await freshLog();
    const sides = [await sideOf(long, pair), await sideOf(empty, pair)] as const;
    // The first batches plan statements and fill caches.
    for (let at = 0; at < batchesAtOnce; at++) {
      for (const side of at % 2 === 0 ? sides : [sides[1], sides[0]]) await side.append(at, at >= batchesAtOnce / 5);
    }
    rates.push({ long: sides[0].rate(), empty: sides[1].rate() });
  }
  return {
    append_ratio: round(median(rates.map(({ long: a, empty: b }) => a / b)), 100),
    append_per_s: round(median(rates.map(({ long: a }) => a)), 1),
    append_empty_per_s: round(median(rates.map(({ empty: b }) => b)), 1),
  };
}

type Side = { readonly append: (at: number, counts: boolean) => Promise<void>; readonly rate: () => number };

async function sideOf({ pool, workspace }: Log, seed: number): Promise<Side> {
  const stores = createStores(pool, workspace);
  const receipts = await someReceipts(workspace, seed);
  const key = generateKey();
  let ms = 0;
  let counted = 0;
  return {
    append: async (at, counts) => {
      const begun = performance.now();
      await appendBatch(stores, workspace, receipts.slice(at * batch, (at + 1) * batch), key);
      if (!counts) return;
      ms += performance.now() - begun;
      counted += batch;
    },
    rate: () => (counted * 1000) / ms,
  };
}

async function appendBatch({ transactor, ledger }: Stores, workspace: WorkspaceId, receipts: readonly SignedReceipt[], key: ReturnType<typeof generateKey>): Promise<void> {
  await transactor.withHead(async (tx) => {
    await ledger.append(tx, receipts);
    const { size, root } = await ledger.head(tx);
    await ledger.addCheckpoint(tx, size, await signCheckpoint(nodeSha256, { origin: originOf(workspace), size: Number(size), root, extensions: [] }, key.publicKey, key.signer.sign));
  });
}

/** The same mix as in the log, signed by keys of nobody: what is measured is thrown away. */
async function someReceipts(workspace: WorkspaceId, seed: number): Promise<readonly SignedReceipt[]> {
  const ids = randomIds();
  const key = generateKey();
  const settings: ChunkMakerSettings = {
    workspace, service: ids.make('credential'), planePem: key.pem, consolePem: key.pem,
    approver: { person: ids.make('person'), key: fileKey(key), pem: key.pem }, deniers: [ids.make('person')],
  };
  const now = Date.now();
  return await chunkMaker(settings)({ seed, receipts: batch * batchesAtOnce, fromMs: now, toMs: now, policy: { revision: 1, digest: policyOf(1).digest } });
}

const round = (value: number, parts: number): number => Math.round(value * parts) / parts;
