import type { NotReplayedReason, ReplayReport } from '@/lib/policy/replay-report';
import { hashedContentText, sealsIn, unsealValues } from '@/lib/ledger/content';
import { hashedLeafText, leafText, previousOf } from '@/lib/ledger/leaf';
import { appendLeaf, rootOf, type Frontier } from '@/lib/ledger/merkle/frontier';
import { frontierHashes, MissingHashes } from '@/lib/ledger/merkle/prove';
import type { ContentItem, ContentStore } from '@/lib/ports/content-store';
import type { LedgerReader, StoredLeaf } from '@/lib/ports/ledger-reader';
import { fromHex, hexDigest, type Sha256, type Sha256OfText } from '@/lib/shared/encoding';
import type { Digest, ReceiptId } from '@/lib/shared/ids';
import type { Json } from '@/lib/shared/json';
import { parseOwnJson } from '@/lib/shared/parse-own-json';
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
  readonly log: Pick<LedgerReader, 'leaves' | 'byIndex' | 'hashes'>;
  readonly content: Pick<ContentStore, 'texts'>;
  readonly sha256: Sha256;
  readonly sha256OfText: Sha256OfText;
  /** Base64 into UTF-8, as fast as the host can: every receipt goes through it. */
  readonly text: (base64: string) => string;
  /** Of one page; left out: 1,000. What comes out never depends on it. */
  readonly rowsAtOnce?: number;
};

const usualRows = 1000;
const pagesAhead = 2;

/**
 * Takes every decision of a range again. Each receipt is hashed into the tree, which has to come out as the checkpoint says, so that nobody
 * who can write rows can hide a receipt or put another in its place. A few pages are held at a time.
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
    unreadable: (receipt) => tally.addUnread(receipt, 'unreadable'),
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
  readonly unreadable: (receipt: ReceiptId) => void;
  readonly resolved: (ended: Extract<ReplayReceipt, { is: 'resolved' }>) => void;
  readonly page: (rows: number, done: number) => void;
};

/** Reads a range in order and proves that it is the log's; undefined when it is. */
export async function walkLog(parts: ReplayLog, range: ReplayRange, walker: LogWalker): Promise<ReturnType<typeof fail> | undefined> {
  const { log, sha256, sha256OfText } = parts;
  let before = range.from === 0 ? undefined : (await log.byIndex(BigInt(range.from - 1)))?.leaf_hash;
  if (range.from > 0 && !before) return broken(range.from - 1);
  let frontier: Frontier;
  try {
    frontier = { size: range.from, hashes: await frontierHashes(sha256, log.hashes, range.from) };
  } catch (cause) {
    if (cause instanceof MissingHashes) return broken(range.from);
    throw cause;
  }
  const nextPage = readAhead(parts, range);
  for (let at = range.from; at < range.to; ) {
    const { leaves, read, contents } = await nextPage();
    if (leaves.length === 0) return broken(at);
    for (const leaf of leaves) {
      if (leaf.index !== BigInt(at)) return broken(at);
      before = fromHex(sha256OfText(hashedLeafText(leafText(leaf.envelope, at, previousOf(before)))));
      if (!before) throw new TypeError('The hash of a text is no hex.');
      frontier = appendLeaf(sha256, frontier, before);
      tell(walker, leaf, read.get(leaf), contents);
      at += 1;
    }
    walker.page(leaves.length, at - range.from);
  }
  return hexDigest(rootOf(sha256, frontier)) === hexDigest(range.root) ? undefined : fail('ledger_broken', 'The receipts are not those that the checkpoint covers.', { fix: 'Run "countersign fsck".' });
}

type Read = Exclude<ReplayReceipt, { is: 'unreadable' | 'other' }> | { readonly is: 'unreadable'; readonly receipt: ReceiptId };
type Page = { readonly leaves: readonly StoredLeaf[]; readonly read: ReadonlyMap<StoredLeaf, Read>; readonly contents: (recorded: Recorded) => Contents };

function tell(walker: LogWalker, leaf: StoredLeaf, read: Read | undefined, contents: Page['contents']): void {
  if (read?.is === 'unreadable') walker.unreadable(read.receipt);
  if (read?.is === 'resolved') walker.resolved(read);
  if (read?.is === 'decision') walker.decision(read.recorded, Number(leaf.index), contents(read.recorded));
}

/** Pages in order. A few are asked for before their turn, so that the database reads while decisions are taken here. */
function readAhead(parts: ReplayLog, { from, to }: ReplayRange): () => Promise<Page> {
  const pages: Promise<Page>[] = [];
  const { rowsAtOnce = usualRows } = parts;
  let asked = from;
  return () => {
    for (; asked < to && pages.length < pagesAhead; asked += rowsAtOnce) {
      const page = readPage(parts, asked, Math.min(asked + rowsAtOnce, to));
      // It is awaited in its turn; until then a failure is not unheard of.
      page.catch(() => undefined);
      pages.push(page);
    }
    return pages.shift() ?? Promise.resolve({ leaves: [], read: new Map(), contents: () => 'unreadable' });
  };
}

async function readPage({ log, content, sha256OfText, text }: ReplayLog, from: number, to: number): Promise<Page> {
  const leaves = await log.leaves(BigInt(from), BigInt(to), to - from);
  const read = new Map<StoredLeaf, Read>();
  const wanted = new Set<Digest>();
  for (const leaf of leaves) {
    const receipt = parseReceipt(leaf.envelope, text);
    if (receipt.is === 'other') continue;
    if (receipt.is === 'unreadable') {
      const row = await log.byIndex(leaf.index);
      if (row) read.set(leaf, { is: 'unreadable', receipt: row.id });
      continue;
    }
    read.set(leaf, receipt);
    if (receipt.is !== 'decision' || receipt.recorded.snapshot === null || receipt.recorded.policy === null) continue;
    wanted.add(receipt.recorded.action);
    wanted.add(receipt.recorded.snapshot);
  }
  const texts = await content.texts([...wanted]);
  const whole = (item: ContentItem): Json | undefined => wholeValue(sha256OfText, item);
  const decisions = [...read.values()].flatMap((one) => (one.is === 'decision' ? [one.recorded] : []));
  const actions = new Map(decisions.flatMap(({ action }) => {
    const item = texts.get(action);
    return item ? [[action, whole(item)] as const] : [];
  }));
  const sealed = new Set([...actions.values()].flatMap((value) => (value === undefined ? [] : sealsIn(value))));
  const seals = new Map([...(await content.texts([...sealed]))].map(([digest, item]) => [digest, whole(item)]));
  // Of a snapshot only its text is held until it is its turn: most of what a page says would otherwise live as long as the page does.
  return { leaves, read, contents: (recorded) => contentsOf(recorded, { actions, seals, snapshot: (digest) => texts.get(digest), whole }) };
}

/** Values by digest; one whose row is not what its digest covers has none. */
type Values = ReadonlyMap<Digest, Json | undefined>;
type Held = { readonly actions: Values; readonly seals: Values; readonly snapshot: (digest: Digest) => ContentItem | undefined; readonly whole: (item: ContentItem) => Json | undefined };

function contentsOf({ policy, action, snapshot }: Recorded, held: Held): Contents {
  if (snapshot === null || policy === null) return 'not_asked';
  const stored = held.snapshot(snapshot);
  if (!stored || !held.actions.has(action)) return 'erased';
  const [asked, evidence] = [held.actions.get(action), held.whole(stored)];
  if (asked === undefined || evidence === undefined) return 'altered';
  const parts = sealsIn(asked);
  if (parts.length === 0) return { action: asked, snapshot: evidence };
  if (parts.some((seal) => !held.seals.has(seal))) return 'erased';
  if (parts.some((seal) => held.seals.get(seal) === undefined)) return 'altered';
  return { action: unsealValues(asked, (seal) => held.seals.get(seal)), snapshot: evidence };
}

/** What an item says, unless its row is not what its digest covers. */
const wholeValue = (sha256OfText: Sha256OfText, { digest, salt, body }: ContentItem): Json | undefined =>
  sha256OfText(hashedContentText(salt, body)) === digest ? parseOwnJson(body) : undefined;

const broken = (index: number) => fail('ledger_broken', `The receipt at ${String(index)} is missing or cannot be read.`, { fix: 'Run "countersign fsck".' });
