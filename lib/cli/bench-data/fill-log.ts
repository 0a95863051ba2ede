import { originOf, signCheckpoint } from '@/lib/ledger/checkpoint';
import type { SignedReceipt } from '@/lib/ports/ledger-store';
import { nodeSha256 } from '@/lib/server/node-sha256';

import { benchApprovers, benchRevisions } from './bench-world';
import { policyOf, type BenchWorkspace } from './bench-workspace';
import { chunkThreads } from './chunk-threads';
import type { ChunkOrder } from './make-chunk';
import { replacePolicy } from './replace-policy';

/** Receipts of one order to a thread, and of one transaction. */
const chunkReceipts = 4096;
const batchReceipts = 2048;

export type Filling = {
  readonly receipts: number;
  readonly fromMs: number;
  readonly toMs: number;
  readonly threadFile: URL;
  readonly threads: number;
  /** Told after each chunk. */
  readonly onSize: (size: number) => void;
};

/**
 * Makes and appends receipts until the log has so many. Threads make chunks ahead; they enter the log in order, by the same
 * code that the plane appends with, each batch with its checkpoint. A crash leaves a sound, shorter log.
 */
export async function fillLog(bench: BenchWorkspace, { receipts, fromMs, toMs, threadFile, threads, onSize }: Filling): Promise<void> {
  const { workspace, stores, owner, provisioned } = bench;
  let size = Number((await stores.log.head()).size);
  const chunks = Math.ceil((receipts - size) / chunkReceipts);
  const maker = chunkThreads(threadFile, threads, {
    workspace,
    service: provisioned.vouching[0]?.id ?? fail('No orchestrator was provisioned.'),
    planePem: bench.plane.pem,
    consolePem: bench.console.pem,
    approver: { person: owner.person, key: owner.key, pem: owner.signing.pem },
    deniers: benchApprovers.map((email) => provisioned.people.get(email) ?? fail(`${email} was not provisioned.`)),
  });
  const orderOf = (chunk: number): ChunkOrder => {
    const revision = revisionAt(chunk, chunks);
    const time = (nr: number): number => fromMs + ((toMs - fromMs) * nr) / chunks;
    return { seed: chunk, receipts: chunkReceipts, fromMs: time(chunk), toMs: time(chunk + 1), policy: { revision, digest: policyOf(revision).digest } };
  };
  const ahead = Math.max(1, 2 * threads);
  const making: Promise<readonly SignedReceipt[]>[] = [];
  const order = (chunk: number): void => {
    const made = maker.make(orderOf(chunk));
    // It is awaited when its turn comes; until then a failure is not unheard of.
    made.catch(() => undefined);
    making.push(made);
  };
  try {
    for (let chunk = 0; chunk < Math.min(ahead, chunks); chunk++) order(chunk);
    for (let chunk = 0; chunk < chunks && size < receipts; chunk++) {
      const revision = revisionAt(chunk, chunks);
      if (chunk > 0 && revision > revisionAt(chunk - 1, chunks)) {
        await replacePolicy(bench, revision, new Date(Math.floor(orderOf(chunk).fromMs)).toISOString());
        size += 1;
      }
      const made = await making.shift();
      if (chunk + ahead < chunks) order(chunk + ahead);
      // The last sessions of the log need not end.
      const taken = made?.slice(0, receipts - size) ?? [];
      await appendAll(bench, taken);
      size += taken.length;
      onSize(size);
    }
  } finally {
    await maker.stop();
  }
}

const revisionAt = (chunk: number, chunks: number): number => 1 + Math.floor((chunk * benchRevisions) / Math.max(chunks, benchRevisions));

async function appendAll({ workspace, stores, plane }: BenchWorkspace, receipts: readonly SignedReceipt[]): Promise<void> {
  for (let at = 0; at < receipts.length; at += batchReceipts) {
    await stores.transactor.withHead(async (tx) => {
      await stores.ledger.append(tx, receipts.slice(at, at + batchReceipts));
      const { size, root } = await stores.ledger.head(tx);
      await stores.ledger.addCheckpoint(tx, size, await signCheckpoint(nodeSha256, { origin: originOf(workspace), size: Number(size), root, extensions: [] }, plane.publicKey, plane.signer.sign));
    });
  }
}

function fail(message: string): never {
  throw new Error(message);
}
