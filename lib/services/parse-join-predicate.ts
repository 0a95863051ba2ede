import type { ReceiptKind, ReceiptPredicate } from '@/lib/ledger/receipt-predicate';

type Common = Pick<ReceiptPredicate, 'workspace' | 'at' | 'receipt'>;

/** Names in canonical order, by the names as they came: a few dozen shapes, since every kind of receipt is built in few places. */
const orders = new Map<string, readonly string[]>();
const ordersKept = 1000;

/**
 * Joins what every receipt has with the rest, the names in canonical order, so that the whole is written in one go. By its
 * types it is a predicate; the compiler cannot follow that through a generic kind.
 */
export function joinPredicate<Kind extends ReceiptKind>(common: Common, rest: Omit<ReceiptPredicate<Kind>, keyof Common>): ReceiptPredicate<Kind> {
  const all: Readonly<Record<string, unknown>> = { ...common, ...rest };
  const whole: Record<string, unknown> = {};
  for (const name of inOrder(Object.keys(all))) whole[name] = all[name];
  const joined: unknown = whole;
  return joined as ReceiptPredicate<Kind>;
}

function inOrder(names: string[]): readonly string[] {
  const shape = names.join();
  const known = orders.get(shape);
  if (known) return known;
  const sorted = names.sort();
  if (orders.size < ordersKept) orders.set(shape, sorted);
  return sorted;
}
