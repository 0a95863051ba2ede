import type { ReceiptKind, ReceiptPredicate } from '@/lib/ledger/receipt-predicate';

type Common = Pick<ReceiptPredicate, 'workspace' | 'at' | 'receipt'>;

/** Joins what every receipt has with the rest. By its types the whole is a predicate; the compiler cannot follow that through a generic kind. */
export function joinPredicate<Kind extends ReceiptKind>(common: Common, rest: Omit<ReceiptPredicate<Kind>, keyof Common>): ReceiptPredicate<Kind> {
  const whole: unknown = { ...common, ...rest };
  return whole as ReceiptPredicate<Kind>;
}
