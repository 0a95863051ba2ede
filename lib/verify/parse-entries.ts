import type { Bundle } from '@/lib/ledger/bundle';
import { leafHashOf, textOf, type Leaf } from '@/lib/ledger/leaf';
import type { ReceiptBody, ReceiptKind, ReceiptPredicate } from '@/lib/ledger/receipt-predicate';
import { readStatement } from '@/lib/ledger/statement';
import type { Sha256 } from '@/lib/shared/encoding';

/** A receipt of the bundle at its position, read. `body` is undefined when the envelope holds no receipt that we know. */
export type Entry = {
  readonly index: number;
  readonly leaf: Leaf;
  readonly leafHash: Uint8Array;
  readonly body: ReceiptBody | undefined;
  /** Why there is no body. */
  readonly fault: string | undefined;
  /** From outside the range, proved by a path of its own. */
  readonly anchor: boolean;
};

/** A receipt of one kind with its position. */
export type Placed<Kind extends ReceiptKind> = { readonly index: number; readonly predicate: ReceiptPredicate<Kind> };

/** All receipts of the bundle by rising position. */
export function readEntries(bundle: Bundle, sha256: Sha256): readonly Entry[] {
  const entry = (leaf: Leaf, anchor: boolean): Entry => {
    const body = readStatement(sha256, leaf.envelope);
    return {
      index: leaf.index,
      leaf,
      leafHash: leafHashOf(sha256, textOf(leaf)),
      body: body.ok ? body.value : undefined,
      fault: body.ok ? undefined : body.error.detail,
      anchor,
    };
  };
  const entries = [...bundle.anchors.map(({ leaf }) => entry(leaf, true)), ...bundle.leaves.map((leaf) => entry(leaf, false))];
  return entries.sort((a, b) => a.index - b.index);
}

export function ofKind<Kind extends ReceiptKind>(entries: readonly Entry[], kind: Kind): readonly Placed<Kind>[] {
  return entries.flatMap(({ index, body }) =>
    // `kind` tells the union's members apart; the compiler does not follow it through the generic.
    body?.kind === kind ? [{ index, predicate: body.predicate as ReceiptPredicate<Kind> }] : [],
  );
}

/** The latest of these at or before a position: what was in force there. */
export function inForceAt<T extends { readonly index: number }>(placed: readonly T[], index: number): T | undefined {
  return placed.findLast((one) => one.index <= index);
}
