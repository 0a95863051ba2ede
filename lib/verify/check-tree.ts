import type { Bundle } from '@/lib/ledger/bundle';
import type { BundleManifest } from '@/lib/ledger/bundle-manifest';
import { parseCheckpoint, type Checkpoint } from '@/lib/ledger/checkpoint';
import { firstPrevious, previousOf } from '@/lib/ledger/leaf';
import { appendLeaf, frontierFromHex, rootOf } from '@/lib/ledger/merkle/frontier';
import { verifyConsistency, verifyInclusion } from '@/lib/ledger/merkle/verify-proof';
import { bytesEqual, fromHex, type Sha256 } from '@/lib/shared/encoding';

import type { Entry } from './parse-entries';
import { failed, passed, unknown, type Check } from './report';

/** A tree head that the reader knows from elsewhere: an exported checkpoint, or a process's pin. */
export type KnownHead = { readonly size: number; readonly root: Uint8Array };

/** Positions are the range's without a gap, and each receipt names the hash of the one before it. */
export function checkChain(bundle: Bundle, entries: readonly Entry[], { range }: BundleManifest): Check {
  const { leaves, anchors } = bundle;
  if (leaves.length !== range.to - range.from) return failed('chain', `The range has ${range.to - range.from} positions, the bundle ${leaves.length} receipts.`);
  for (const [offset, { index }] of leaves.entries()) {
    if (index !== range.from + offset) return failed('chain', `Position ${range.from + offset} is held by a receipt of position ${index}.`, range.from + offset);
  }
  const unordered = anchors.find(({ leaf }, at) => leaf.index <= (anchors[at - 1]?.leaf.index ?? -1));
  if (unordered) return failed('chain', 'The single receipts do not rise.', unordered.leaf.index);
  for (const [at, { index, leaf }] of entries.entries()) {
    const before = entries[at - 1];
    if (before?.index === index) return failed('chain', 'Two receipts have the same position.', index);
    const expected = index === 0 ? firstPrevious : before?.index === index - 1 ? previousOf(before.leafHash) : undefined;
    if (expected !== undefined && leaf.previous !== expected) return failed('chain', 'The receipt does not name the one before it.', index, { expected, found: leaf.previous });
  }
  return passed('chain', `${entries.length} receipts.`);
}

/** The root computed from the leaves is the one that the last checkpoint states, and each single receipt's path leads to it. */
export function checkTree(bundle: Bundle, entries: readonly Entry[], { range, size }: BundleManifest, sha256: Sha256): Check {
  const last = bundle.checkpoints.at(-1);
  const checkpoint = last === undefined ? undefined : parseCheckpoint(last);
  if (!checkpoint?.ok) return failed('tree', 'The bundle has no readable checkpoint.');
  const head = checkpoint.value;
  if (head.size !== size) return failed('tree', `The manifest speaks of ${size} receipts, the checkpoint of ${head.size}.`);
  const root = rootsAt(bundle, entries, range, sha256)?.get(range.to);
  if (!root) return failed('tree', 'The bundle does not have the hashes that lead up to its range.');
  if (!continues(bundle.consistency, { size: range.to, root }, head, sha256)) {
    return failed('tree', 'The receipts do not give the root that the checkpoint states.', range.from);
  }
  const hashes = new Map(entries.flatMap(({ anchor, index, leafHash }) => (anchor ? [[index, leafHash] as const] : [])));
  for (const { leaf, path } of bundle.anchors) {
    const hash = hashes.get(leaf.index);
    if (leaf.index >= range.from && leaf.index < range.to) return failed('tree', 'A single receipt lies inside the range.', leaf.index);
    if (!hash || !verifyInclusion(sha256, leaf.index, head.size, hash, path.map(hashOf), head.root)) {
      return failed('tree', 'The receipt’s path does not lead to the checkpoint’s root.', leaf.index);
    }
  }
  return passed('tree', `${head.size} receipts in the log.`);
}

/** Checkpoints rise in size, and those inside the range state exactly the root that the receipts give; so do heads that the reader knows. */
export function checkConsistency(
  bundle: Bundle,
  entries: readonly Entry[],
  { range }: BundleManifest,
  known: readonly KnownHead[],
  sha256: Sha256,
): Check {
  const roots = rootsAt(bundle, entries, range, sha256, known);
  if (!roots) return failed('consistency', 'The bundle does not have the hashes that lead up to its range.');
  const heads: Checkpoint[] = [];
  for (const note of bundle.checkpoints) {
    const head = parseCheckpoint(note);
    if (!head.ok) return failed('consistency', head.error.detail);
    const before = heads.at(-1);
    if (before && head.value.size <= before.size) return failed('consistency', 'The checkpoints do not rise.', head.value.size);
    heads.push(head.value);
  }
  const last = heads.at(-1);
  for (const head of heads) {
    const root = roots.get(head.size);
    if (head !== last && !root) return failed('consistency', `Nothing here shows what the log was at ${head.size}.`, head.size);
    if (root && !bytesEqual(root, head.root)) return failed('consistency', `At ${head.size} the log was another than its checkpoint says.`, head.size);
  }
  const unseen: number[] = [];
  for (const { size, root } of known) {
    const here = size === last?.size ? last.root : roots.get(size);
    if (last && size > last.size) return failed('consistency', `You know this log with ${size} receipts; here it has ${last.size}: its end was cut off.`);
    if (!here) unseen.push(size);
    else if (!bytesEqual(here, root)) return failed('consistency', `At ${size} this is another log than the one you know.`, size);
  }
  if (unseen.length > 0) return unknown('consistency', `The bundle cannot be compared with the log you know at ${unseen.join(', ')}.`);
  return passed('consistency', `${heads.length} checkpoints${known.length > 0 ? `, and ${known.length} that you know` : ''}.`);
}

/** The log's root at each size that the bundle's range covers; undefined when the frontier does not fit. */
function rootsAt(
  bundle: Bundle,
  entries: readonly Entry[],
  range: BundleManifest['range'],
  sha256: Sha256,
  known: readonly KnownHead[] = [],
): ReadonlyMap<number, Uint8Array> | undefined {
  const wanted = new Set([range.to, ...known.map(({ size }) => size)]);
  for (const text of bundle.checkpoints) {
    const head = parseCheckpoint(text);
    if (head.ok) wanted.add(head.value.size);
  }
  let frontier = frontierFromHex(range.from, bundle.frontier);
  if (!frontier) return undefined;
  const roots = new Map<number, Uint8Array>();
  const note = () => frontier && wanted.has(frontier.size) && roots.set(frontier.size, rootOf(sha256, frontier));
  note();
  for (const { anchor, leafHash } of entries) {
    if (anchor) continue;
    frontier = appendLeaf(sha256, frontier, leafHash);
    note();
  }
  return roots;
}

function continues(proof: readonly string[], old: KnownHead, head: Checkpoint, sha256: Sha256): boolean {
  return old.size > 0 && verifyConsistency(sha256, old.size, head.size, old.root, head.root, proof.map(hashOf));
}

/** Digests of a parsed bundle are 32 bytes of hex; anything else would fail as a hash of the wrong length. */
const hashOf = (hex: string): Uint8Array => fromHex(hex) ?? new Uint8Array(0);
