import type { ReceiptKind, ReceiptPredicate } from '@/lib/ledger/receipt-predicate';

type Common = Pick<ReceiptPredicate, 'workspace' | 'at' | 'receipt'>;

/**
 * Joins what every receipt has with the rest, the names in canonical order, so that the whole is written in one go. By its
 * types it is a predicate; the compiler cannot follow that through a generic kind.
 */
export function joinPredicate<Kind extends ReceiptKind>(common: Common, rest: Omit<ReceiptPredicate<Kind>, keyof Common>): ReceiptPredicate<Kind> {
  const all: Readonly<Record<string, unknown>> = { ...common, ...rest };
  const whole: Record<string, unknown> = {};
  for (const name of Object.keys(all).sort()) whole[name] = all[name];
  const joined: unknown = whole;
  return joined as ReceiptPredicate<Kind>;
}
