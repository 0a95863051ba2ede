import { leafText, previousOf, type Leaf } from '@/lib/ledger/leaf';
import { parseLeaf } from '@/lib/ledger/parse-leaf';
import type { ReceiptKind } from '@/lib/ledger/receipt-predicate';
import { readStatement } from '@/lib/ledger/statement';
import type { LedgerReader, LogRow, ReceiptFilters } from '@/lib/ports/ledger-reader';
import { parseEnvelope } from '@/lib/shared/dsse';
import type { Sha256 } from '@/lib/shared/encoding';
import type { ActionId, SessionId } from '@/lib/shared/ids';
import { fail, ok, type Result } from '@/lib/shared/result';

import type { ExportRoom } from './export-room';

const rowsAtOnce = 1000;

/** What every bundle needs to be understood, wherever its range lies. */
const authorityKinds: readonly ReceiptKind[] = ['trust_root_changed', 'recovery_announced', 'recovery_cancelled', 'roster_changed', 'policy_applied', 'key_removed'];

/** The leaves of a range, in order. `ledger_broken` when a row is missing or cannot be read, `too_large`. */
export async function leavesOfRange(log: LedgerReader, from: number, to: number, room: ExportRoom): Promise<Result<readonly Leaf[]>> {
  const leaves: Leaf[] = [];
  let before = from === 0 ? undefined : await log.byIndex(BigInt(from - 1));
  while (from + leaves.length < to) {
    const rows = await log.range(BigInt(from + leaves.length), BigInt(to), rowsAtOnce);
    for (const row of rows) {
      const leaf = leafOf(row, before);
      if (!leaf || leaf.index !== from + leaves.length) return broken(Number(row.index));
      const full = room.take(row.envelope.length);
      if (full) return full;
      leaves.push(leaf);
      before = row;
      room.reached(from + leaves.length);
    }
    if (rows.length === 0) return broken(from + leaves.length);
    const tooMany = room.foresee(to - from);
    if (tooMany) return tooMany;
  }
  return ok(leaves);
}

/** What is taken out besides or instead of a range. */
export type Selection =
  | { readonly kind: 'range'; readonly from: number; readonly to: number }
  | { readonly kind: 'session'; readonly session: SessionId }
  | { readonly kind: 'case'; readonly session: SessionId; readonly action: ActionId };

/**
 * Receipts that are proved one by one: what brought authority into force, and of each action in the range what came before. For a
 * session: all of its receipts. For a case: all of the action's, and of its session and those above it what its last decision rests on.
 */
export async function singleLeaves({ log, sha256 }: { readonly log: LedgerReader; readonly sha256: Sha256 }, selection: Selection, size: number, room: ExportRoom): Promise<Result<readonly Leaf[]>> {
  const rows = new Map<bigint, LogRow>();
  const collect = async (filters: ReceiptFilters, below = size): Promise<void> => {
    for await (const row of receiptsOf(log, filters, below)) rows.set(row.index, row);
  };
  for (const kind of authorityKinds) await collect({ kind });
  switch (selection.kind) {
    case 'range':
      for (const action of selection.from > 0 ? await actionsOf(log, selection.from, selection.to) : []) await collect({ action }, selection.from);
      break;
    case 'session':
      await collect({ session: selection.session });
      // Votes, and what stood for one, name the action: a quorum must not look unmet because a row does not say whose session it was.
      for (const action of new Set([...rows.values()].map((row) => row.action))) if (action !== undefined) await collect({ action });
      break;
    case 'case': {
      await collect({ action: selection.action });
      const last = [...rows.values()].filter(({ kind, action }) => kind === 'action_decided' && action === selection.action).reduce((most, { index }) => Math.max(most, Number(index)), 0);
      await collect({ session: selection.session }, last);
      for (const above of await sessionsAbove(log, sha256, selection.session)) await collect({ session: above.session }, above.opened);
    }
  }
  const inside = ({ index }: LogRow): boolean => selection.kind === 'range' && index >= BigInt(selection.from) && index < BigInt(selection.to);
  return await leavesOfRows(log, [...rows.values()].filter((row) => !inside(row)), room);
}

/** Erasures of these sessions: who says that contents are gone. */
export async function erasureLeaves(log: LedgerReader, sessions: ReadonlySet<SessionId>, size: number, room: ExportRoom): Promise<Result<readonly Leaf[]>> {
  const rows: LogRow[] = [];
  for (const session of sessions) for await (const row of receiptsOf(log, { kind: 'content_erased', session }, size)) rows.push(row);
  return await leavesOfRows(log, rows, room);
}

async function leavesOfRows(log: LedgerReader, rows: readonly LogRow[], room: ExportRoom): Promise<Result<readonly Leaf[]>> {
  const found: Leaf[] = [];
  for (const row of rows) {
    const leaf = leafOf(row, row.index === 0n ? undefined : await log.byIndex(row.index - 1n));
    if (!leaf) return broken(Number(row.index));
    const full = room.take(row.envelope.length + pathBytes);
    if (full) return full;
    found.push(leaf);
  }
  return ok(found.sort((a, b) => a.index - b.index));
}

/** A path to the root of some million receipts: about so many hashes in hex. */
const pathBytes = 23 * 67;

async function* receiptsOf(log: LedgerReader, filters: ReceiptFilters, below: number): AsyncGenerator<LogRow> {
  for (let before: bigint | undefined = BigInt(below); before !== undefined; ) {
    const page: Awaited<ReturnType<LedgerReader['search']>> = await log.search(filters, { limit: rowsAtOnce, before });
    yield* page.rows;
    before = page.next ?? undefined;
  }
}

/** The sessions that a child goes on from, with the position at which the one below was opened. */
async function sessionsAbove(log: LedgerReader, sha256: Sha256, session: SessionId): Promise<readonly { readonly session: SessionId; readonly opened: number }[]> {
  const found: { session: SessionId; opened: number }[] = [];
  for (let below = session; ; ) {
    const [opening] = (await log.search({ session: below, kind: 'session_opened' }, { limit: 1 })).rows;
    const parent = opening && parentIn(sha256, opening);
    if (!parent) return found;
    found.push({ session: parent, opened: Number(opening.index) });
    below = parent;
  }
}

function parentIn(sha256: Sha256, { envelope }: LogRow): SessionId | undefined {
  const read = parseEnvelope(envelope);
  const body = read.ok ? readStatement(sha256, read.value) : read;
  return body.ok && body.value.kind === 'session_opened' ? body.value.predicate.parent?.session : undefined;
}

/** Actions that the range speaks of; their beginnings may lie before it. */
async function actionsOf(log: LedgerReader, from: number, to: number): Promise<readonly ActionId[]> {
  const actions = new Set<ActionId>();
  for (let at = from; at < to; at += rowsAtOnce) {
    for (const { action } of await log.range(BigInt(at), BigInt(Math.min(at + rowsAtOnce, to)), rowsAtOnce)) if (action) actions.add(action);
  }
  return [...actions];
}

function leafOf(row: LogRow, before: LogRow | undefined): Leaf | undefined {
  const leaf = parseLeaf(leafText(row.envelope, Number(row.index), previousOf(before?.leaf_hash)));
  return leaf.ok ? leaf.value : undefined;
}

const broken = (index: number) => fail('ledger_broken', `The receipt at ${index} is missing or cannot be read.`, { fix: 'Run "countersign fsck".' });
