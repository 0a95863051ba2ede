import type { LedgerReader } from '@/lib/ports/ledger-reader';
import type { LedgerStore } from '@/lib/ports/ledger-store';
import type { Transactor } from '@/lib/ports/transaction';

import type { SignCheckpoint } from './group-commit';

/** How far the log has come, and how much of it a signed checkpoint covers. */
export type Coverage = { readonly size: number; readonly covered: number };

/**
 * Covers what no checkpoint covers yet: what other processes appended, and everything where a key service signs. The signature is
 * made before the lock is taken, so a key service that is slow keeps nobody waiting; the head that was read stays one that the log had.
 */
export async function coverLog(parts: {
  readonly reader: LedgerReader;
  readonly transactor: Transactor;
  readonly ledger: LedgerStore;
  readonly signCheckpoint: SignCheckpoint;
}): Promise<Coverage> {
  const [head, latest] = await Promise.all([parts.reader.head(), parts.reader.latestCheckpoint()]);
  const behind = { size: Number(head.size), covered: Number(latest?.size ?? 0n) };
  if (behind.size <= behind.covered) return behind;
  const note = await parts.signCheckpoint(head.size, head.root);
  if (note === null) return behind;
  await parts.transactor.withHead((tx) => parts.ledger.addCheckpoint(tx, head.size, note));
  return { ...behind, covered: behind.size };
}
