import type { NotReplayedReason, ReplayReport } from '@/lib/policy/replay-report';
import { contentTextDigest, sealsIn, unsealValues } from '@/lib/ledger/content';
import { leafHashOf, leafText, previousOf } from '@/lib/ledger/leaf';
import { appendLeaf, rootOf, type Frontier } from '@/lib/ledger/merkle/frontier';
import { frontierHashes, MissingHashes } from '@/lib/ledger/merkle/prove';
import type { ContentStore } from '@/lib/ports/content-store';
import type { LedgerReader, LogRow } from '@/lib/ports/ledger-reader';
import { hexDigest, type Sha256 } from '@/lib/shared/encoding';
import type { Digest } from '@/lib/shared/ids';
import type { Json } from '@/lib/shared/json';
import { fail, ok, type Result } from '@/lib/shared/result';

import { parseReceipt, type Recorded, type ReplayReceipt } from './parse-recorded';
import { replayDecision, type ReplayPolicies } from './replay-decision';
import { ReplayTally } from './replay-tally';

/** A part of the log whose end a checkpoint covers: `root` is that of the tree of `to` leaves, taken from a note that verified. */
export type ReplayRange = {
  readonly from: number;
  readonly to: number;
  readonly since: string;
  readonly root: Uint8Array;
  readonly leftOut: number;
  /** Decisions from this time on are read and not counted. */
  readonly until?: string;
};

export type ReplayLog = {
  readonly log: Pick<LedgerReader, 'range' | 'byIndex' | 'hashes'>;
  readonly content: Pick<ContentStore, 'find'>;
  readonly sha256: Sha256;
  /** Base64 into UTF-8, as fast as the host can: every receipt goes through it. */
  readonly text: (base64: string) => string;
};

const rowsAtOnce = 1000;
const nothing: Page = { rows: [], read: new Map(), contents: () => 'unreadable' };

/**
 * Takes every decision of a range again. Each receipt is hashed into the tree, which has to come out as the checkpoint says, so that nobody
 * who can write rows can hide a receipt or put another in its place. One page is worked on while the next is read; no more is held.
 * `ledger_broken`: a receipt is missing, or the tree is another. Throws what `onPage` throws: that is how it is stopped.
 */
export async function replayLog(parts: ReplayLog, range: ReplayRange, policies: ReplayPolicies, onPage: (done: number, of: number) => void = () => undefined): Promise<Result<ReplayReport>> {
  const tally = new ReplayTally();
  const fault = await walkLog(parts, range, {
    decision: (recorded, index, contents) => {
      if (range.until !== undefined && recorded.at >= range.until) return;
      if (typeof contents === 'string') tally.addUnread(recorded.receipt, contents);
      else tally.add(recorded, index, replayDecision(policies, { recorded, ...contents }));
    },
    unreadable: (row) => tally.addUnread(row.id, 'unreadable'),
    resolved: ({ approval, state }) => tally.resolve(approval, state),
    page: (rows, done) => {
      tally.read(rows);
      onPage(done, range.to - range.from);
    },
  });
  if (fault) return fault;
  const { from, to, since, root, leftOut } = range;
  return ok(tally.report({ from, to, since, root: hexDigest(root) }, leftOut));
}

/** What a decision rested on, or why that is not to be had. */
export type Contents = { readonly action: Json; readonly snapshot: Json } | NotReplayedReason;

export type LogWalker = {
  readonly decision: (recorded: Recorded, index: number, contents: Contents) => void;
  readonly unreadable: (row: LogRow) => void;
  readonly resolved: (ended: Extract<ReplayReceipt, { is: 'resolved' }>) => void;
  readonly page: (rows: number, done: number) => void;
};

/** Reads a range in order and proves that it is the log's; undefined when it is. */
export async function walkLog(parts: ReplayLog, range: ReplayRange, walker: LogWalker): Promise<ReturnType<typeof fail> | undefined> {
  const { log, sha256 } = parts;
  let before = range.from === 0 ? undefined : (await log.byIndex(BigInt(range.from - 1)))?.leaf_hash;
  if (range.from > 0 && !before) return broken(range.from - 1);
  let frontier: Frontier;
  try {
    frontier = { size: range.from, hashes: await frontierHashes(sha256, log.hashes, range.from) };
  } catch (cause) {
    if (cause instanceof MissingHashes) return broken(range.from);
    throw cause;
  }
  let next = readPage(parts, range.from, range.to);
  // It is awaited in its turn; until then a failure is not unheard of.
  next.catch(() => undefined);
  for (let at = range.from; at < range.to; ) {
    const page = await next;
    if (page.rows.length === 0) return broken(at);
    const end = at + page.rows.length;
    next = end < range.to ? readPage(parts, end, range.to) : Promise.resolve(nothing);
    next.catch(() => undefined);
    for (const row of page.rows) {
      if (row.index !== BigInt(at)) return broken(at);
      before = leafHashOf(sha256, leafText(row.envelope, at, previousOf(before)));
      frontier = appendLeaf(sha256, frontier, before);
      tell(walker, row, page);
      at += 1;
    }
    walker.page(page.rows.length, end - range.from);
  }
  return hexDigest(rootOf(sha256, frontier)) === hexDigest(range.root) ? undefined : fail('ledger_broken', 'The receipts are not those that the checkpoint covers.', { fix: 'Run "countersign fsck".' });
}

function tell(walker: LogWalker, row: LogRow, { read, contents }: Page): void {
  const receipt = read.get(row);
  if (receipt?.is === 'unreadable') walker.unreadable(row);
  if (receipt?.is === 'resolved') walker.resolved(receipt);
  if (receipt?.is === 'decision') walker.decision(receipt.recorded, Number(row.index), contents(receipt.recorded));
}

type Page = { readonly rows: readonly LogRow[]; readonly read: ReadonlyMap<LogRow, ReplayReceipt>; readonly contents: (recorded: Recorded) => Contents };

async function readPage({ log, content, sha256, text }: ReplayLog, from: number, to: number): Promise<Page> {
  const rows = await log.range(BigInt(from), BigInt(to), rowsAtOnce);
  const read = new Map<LogRow, ReplayReceipt>();
  const wanted = new Set<Digest>();
  for (const row of rows) {
    const receipt = parseReceipt(row.envelope, text);
    if (receipt.is === 'other') continue;
    read.set(row, receipt);
    if (receipt.is !== 'decision' || receipt.recorded.snapshot === null || receipt.recorded.policy === null) continue;
    wanted.add(receipt.recorded.action);
    wanted.add(receipt.recorded.snapshot);
  }
  const items = await findWhole(content, sha256, [...wanted]);
  const sealed = new Set<Digest>();
  for (const receipt of read.values()) {
    const value = receipt.is === 'decision' ? items.get(receipt.recorded.action)?.value : undefined;
    if (value !== undefined) for (const seal of sealsIn(value)) sealed.add(seal);
  }
  const seals = await findWhole(content, sha256, [...sealed]);
  return { rows, read, contents: (recorded) => contentsOf(recorded, items, seals) };
}

type Items = ReadonlyMap<Digest, { readonly value: Json | undefined }>;

function contentsOf({ policy, action, snapshot }: Recorded, items: Items, seals: Items): Contents {
  if (snapshot === null || policy === null) return 'not_asked';
  const stored = [items.get(action), items.get(snapshot)];
  if (stored.some((one) => one === undefined)) return 'erased';
  const [asked, evidence] = stored.map((one) => one?.value);
  if (asked === undefined || evidence === undefined) return 'altered';
  const parts = sealsIn(asked);
  if (parts.length === 0) return { action: asked, snapshot: evidence };
  if (parts.some((seal) => !seals.has(seal))) return 'erased';
  if (parts.some((seal) => seals.get(seal)?.value === undefined)) return 'altered';
  return { action: unsealValues(asked, (seal) => seals.get(seal)?.value), snapshot: evidence };
}

/** Items by digest; one whose row is not what its digest covers has no value. */
async function findWhole(content: ReplayLog['content'], sha256: Sha256, digests: readonly Digest[]): Promise<Items> {
  const whole = new Map<Digest, { readonly value: Json | undefined }>();
  if (digests.length === 0) return whole;
  for (const [digest, { salt, body, value }] of await content.find(digests)) {
    whole.set(digest, { value: contentTextDigest(sha256, salt, body) === digest ? value : undefined });
  }
  return whole;
}

const broken = (index: number) => fail('ledger_broken', `The receipt at ${String(index)} is missing or cannot be read.`, { fix: 'Run "countersign fsck".' });
