import { leafHashOf, leafText, previousOf } from '@/lib/ledger/leaf';
import { appendLeaf, emptyFrontier, rootOf, type Frontier } from '@/lib/ledger/merkle/frontier';
import { frontierHashes, MissingHashes } from '@/lib/ledger/merkle/prove';
import type { LedgerReader, StoredLeaf } from '@/lib/ports/ledger-reader';
import { bytesEqual, type Sha256 } from '@/lib/shared/encoding';
import { fail, ok, type Result } from '@/lib/shared/result';

import { goesOn, type ProvenHead } from '../proven-place';

/** How far a log was read: enough to go on without asking anybody what came before. */
export type Followed = { readonly frontier: Frontier; readonly last: Uint8Array | undefined };

export const atBeginning: Followed = { frontier: emptyFrontier, last: undefined };

type Parts = { readonly log: Pick<LedgerReader, 'leaves' | 'hashes'>; readonly sha256: Sha256 };

const rowsAtOnce = 256;
/** Leaves after which those that were read are proved to be of the head's log, so that few have to be kept in mind until then. */
const provedAtOnce = 65_536;

/**
 * Reads every leaf from where it was left off up to the head, in order, and hands those that are `wanted` to `take` once they are proved to
 * be leaves of the head's tree. Neither the columns nor the hashes of rows are relied on. `ledger_broken`: rows are missing or altered;
 * `rollback_detected`: the head's log does not go on from where it was left off, so this is another history.
 */
export async function followLeaves(parts: Parts, from: Followed, head: ProvenHead, wanted: (envelope: string) => boolean, take: (leaf: StoredLeaf) => Promise<void>): Promise<Result<Followed>> {
  let at = from;
  if (at.frontier.size > head.size) return anotherHistory();
  while (at.frontier.size < head.size) {
    const read = await readLeaves(parts, at, Math.min(head.size, at.frontier.size + provedAtOnce), wanted);
    if (!read || !(await leadsTo(parts, read.followed.frontier, head))) return (await leadsTo(parts, at.frontier, head)) ? broken() : anotherHistory();
    for (const leaf of read.found) await take(leaf);
    at = read.followed;
  }
  return bytesEqual(rootOf(parts.sha256, at.frontier), head.root) ? ok(at) : anotherHistory();
}

/** Where a log was left off by a process before; undefined when the database has another one, or not all of it. */
export async function followedTo({ log, sha256 }: Parts, size: number, root: Uint8Array): Promise<Followed | undefined> {
  if (size === 0) return atBeginning;
  try {
    const frontier = { size, hashes: await frontierHashes(sha256, log.hashes, size) };
    const [last] = await log.hashes.leafHashes(size - 1, size);
    return last && bytesEqual(rootOf(sha256, frontier), root) ? { frontier, last } : undefined;
  } catch (cause) {
    if (cause instanceof MissingHashes) return undefined;
    throw cause;
  }
}

async function readLeaves({ log, sha256 }: Parts, from: Followed, to: number, wanted: (envelope: string) => boolean): Promise<{ readonly followed: Followed; readonly found: readonly StoredLeaf[] } | undefined> {
  let { frontier, last } = from;
  const found: StoredLeaf[] = [];
  while (frontier.size < to) {
    const rows = await log.leaves(BigInt(frontier.size), BigInt(to), rowsAtOnce);
    if (rows.length === 0) return undefined;
    for (const row of rows) {
      if (Number(row.index) !== frontier.size) return undefined;
      last = leafHashOf(sha256, leafText(row.envelope, frontier.size, previousOf(last)));
      frontier = appendLeaf(sha256, frontier, last);
      if (wanted(row.envelope)) found.push(row);
    }
  }
  return { followed: { frontier, last }, found };
}

const leadsTo = ({ log, sha256 }: Parts, frontier: Frontier, head: ProvenHead): Promise<boolean> => goesOn(log, sha256, { size: frontier.size, root: rootOf(sha256, frontier) }, head);

const broken = () => fail('ledger_broken', 'The stored receipts are not those of the log that was served.', { fix: 'Run "countersign fsck".' });
const anotherHistory = () => fail('rollback_detected', 'The log does not go on from where it was read last.', { fix: 'Restore the database that this state directory belongs to.' });
