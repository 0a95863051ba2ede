import { leafText, previousOf, type Leaf } from '@/lib/ledger/leaf';
import { parseLeaf } from '@/lib/ledger/parse-leaf';
import type { ReceiptKind } from '@/lib/ledger/receipt-predicate';
import type { LedgerReader, LogRow, ReceiptFilters } from '@/lib/ports/ledger-reader';
import type { ActionId, SessionId } from '@/lib/shared/ids';
import { fail, ok, type Result } from '@/lib/shared/result';

const rowsAtOnce = 1000;

/** What every bundle needs to be understood, wherever its range lies. */
const authorityKinds: readonly ReceiptKind[] = ['trust_root_changed', 'roster_changed', 'policy_applied'];

/** The leaves of a range, in order. `ledger_broken` when a row is missing or cannot be read. */
export async function leavesOfRange(log: LedgerReader, from: number, to: number): Promise<Result<readonly Leaf[]>> {
  const leaves: Leaf[] = [];
  let before = from === 0 ? undefined : await log.byIndex(BigInt(from - 1));
  while (from + leaves.length < to) {
    const rows = await log.range(BigInt(from + leaves.length), BigInt(to), rowsAtOnce);
    for (const row of rows) {
      const leaf = leafOf(row, before);
      if (!leaf || leaf.index !== from + leaves.length) return broken(Number(row.index));
      leaves.push(leaf);
      before = row;
    }
    if (rows.length === 0) return broken(from + leaves.length);
  }
  return ok(leaves);
}

/**
 * Receipts from outside the range that go along: what brought authority into force, and of each action in the range what came
 * before. For a session: all of its receipts, and those of its actions.
 */
export async function singleLeaves(
  log: LedgerReader,
  leaves: readonly Leaf[],
  { from, to, size }: { readonly from: number; readonly to: number; readonly size: number },
  session: SessionId | undefined,
): Promise<Result<readonly Leaf[]>> {
  const rows = new Map<bigint, LogRow>();
  const collect = async (filters: ReceiptFilters): Promise<void> => {
    let before: bigint | undefined;
    do {
      const page = await log.search(filters, { limit: rowsAtOnce, ...(before === undefined ? {} : { before }) });
      for (const row of page.rows) if (row.index < BigInt(size)) rows.set(row.index, row);
      before = page.next ?? undefined;
    } while (before !== undefined);
  };
  for (const kind of authorityKinds) await collect({ kind });
  if (session !== undefined) await collect({ session });
  for (const action of from > 0 && session === undefined ? await actionsOf(log, from, to) : []) await collect({ action });
  const outside = [...rows.values()].filter(({ index }) => index < BigInt(from) || (index >= BigInt(to) && isAuthority(index, rows)));
  const found: Leaf[] = [];
  for (const row of session === undefined ? outside : rows.values()) {
    const leaf = leafOf(row, row.index === 0n ? undefined : await log.byIndex(row.index - 1n));
    if (!leaf) return broken(Number(row.index));
    found.push(leaf);
  }
  const inside = new Set(leaves.map(({ index }) => index));
  return ok(found.filter(({ index }) => !inside.has(index)).sort((a, b) => a.index - b.index));
}

const isAuthority = (index: bigint, rows: ReadonlyMap<bigint, LogRow>): boolean => authorityKinds.some((kind) => rows.get(index)?.kind === kind);

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
