import type { ReceiptRow } from '@/lib/contracts/console/receipts';
import type { ReceiptBody } from '@/lib/ledger/receipt-predicate';

type Row = Pick<ReceiptRow, 'id' | 'kind' | 'at' | 'session' | 'action' | 'agent' | 'tool' | 'operation' | 'decision' | 'revision' | 'rules'>;

/** Where a row of the list says something else than what was signed, as a sentence; undefined when it says the same. */
export function differenceOfRow(row: Row, { kind, predicate }: ReceiptBody): string | undefined {
  const pairs: readonly (readonly [string, string | number | null, string | number | null | undefined])[] = [
    ['kind', row.kind, kind],
    ['receipt', row.id, predicate.receipt],
    ['time', row.at, predicate.at],
    // Not every kind of receipt fills these columns: an empty one hides a receipt from a filter, a wrong one shows another.
    ['action', row.action, row.action !== null && 'action' in predicate ? predicate.action.id : undefined],
    ['session', row.session, row.session !== null && 'session' in predicate ? predicate.session : undefined],
    ...(kind === 'action_decided' ? decidedPairs(row, predicate) : []),
  ];
  for (const [what, shown, signed] of pairs) {
    // A receipt that does not name it says nothing about it.
    if (signed !== undefined && shown !== signed) return `The list says ${what} ${words(shown)}; signed is ${words(signed)}.`;
  }
  return undefined;
}

const decidedPairs = (row: Row, decided: Extract<ReceiptBody, { readonly kind: 'action_decided' }>['predicate']) =>
  [
    ['decision', row.decision, decided.decision],
    ['tool', row.tool, decided.tool],
    ['operation', row.operation, decided.operation],
    ['agent', row.agent, decided.identity.agent],
    ['session', row.session, decided.identity.session],
    ['policy revision', row.revision, decided.policy?.revision ?? null],
    ['rules', row.rules.join(', '), decided.determining.map(({ id }) => id).join(', ')],
  ] as const;

const words = (value: string | number | null): string => (value === null || value === '' ? 'nothing' : String(value));
