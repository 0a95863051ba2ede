import type { Cryptography } from '@/lib/authority/verify-trust-root';
import { leafHashOf, leafText, previousOf } from '@/lib/ledger/leaf';
import { consistencyProof, inclusionProof, MissingHashes } from '@/lib/ledger/merkle/prove';
import { verifyConsistency, verifyInclusion } from '@/lib/ledger/merkle/verify-proof';
import type { LedgerReader, StoredLeaf } from '@/lib/ports/ledger-reader';
import { bytesEqual, type Sha256 } from '@/lib/shared/encoding';

/** The head of a log that is known to be that of this process. */
export type ProvenHead = { readonly size: number; readonly root: Uint8Array };

/** Whether this very receipt is the leaf at its index of the log that this process serves: a row can be copied or moved, a leaf cannot. */
export type ProvePlace = (leaf: StoredLeaf) => Promise<boolean>;

/** What a process proves receipts with: signatures, hashes, and the tree of its log. */
export type Proving = Cryptography & { readonly isAt: ProvePlace };

type Log = Pick<LedgerReader, 'hashes' | 'head'>;

/** Proves places in the tree of the head that was looked at last, and of what comes behind it in a tree that is proved to go on from that one. */
export const placesIn = (log: Log, sha256: Sha256, headNow: () => Promise<ProvenHead | undefined>): ProvePlace => async (row) => {
  const served = await headNow();
  const head = served && Number(row.index) >= served.size ? await newerHead(log, sha256, served) : served;
  return head !== undefined && (await isIncluded(log, sha256, row, head));
};

/** Whether it is the leaf at its index of the tree of this head. */
export async function isIncluded({ hashes }: Pick<Log, 'hashes'>, sha256: Sha256, { index: at, envelope }: StoredLeaf, head: ProvenHead): Promise<boolean> {
  const index = Number(at);
  if (index >= head.size) return false;
  const [before] = index === 0 ? [] : await hashes.leafHashes(index - 1, index);
  if (index > 0 && !before) return false;
  return await isLeafAt({ hashes }, sha256, index, leafHashOf(sha256, leafText(envelope, index, previousOf(before))), head);
}

/** The same of a leaf's hash. */
export const isLeafAt = async ({ hashes }: Pick<Log, 'hashes'>, sha256: Sha256, index: number, hash: Uint8Array, head: ProvenHead): Promise<boolean> =>
  index < head.size && (await orMissing(async () => verifyInclusion(sha256, index, head.size, hash, await inclusionProof(sha256, hashes, index, head.size), head.root)));

/** Whether the log of one head is the beginning of that of the other. */
export async function goesOn({ hashes }: Pick<Log, 'hashes'>, sha256: Sha256, from: ProvenHead, to: ProvenHead): Promise<boolean> {
  if (from.size === 0) return true;
  if (from.size >= to.size) return from.size === to.size && bytesEqual(from.root, to.root);
  return await orMissing(async () => verifyConsistency(sha256, from.size, to.size, from.root, to.root, await consistencyProof(sha256, hashes, from.size, to.size)));
}

async function newerHead(log: Log, sha256: Sha256, served: ProvenHead): Promise<ProvenHead | undefined> {
  const { size, root } = await log.head();
  const head = { size: Number(size), root };
  return (await goesOn(log, sha256, served, head)) ? head : undefined;
}

/** Rows that are gone prove nothing. */
async function orMissing(proof: () => Promise<boolean>): Promise<boolean> {
  try {
    return await proof();
  } catch (cause) {
    if (cause instanceof MissingHashes) return false;
    throw cause;
  }
}
