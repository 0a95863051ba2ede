import type { Roster } from '@/lib/authority/roster';
import type { Paired, ReceiptRow } from '@/lib/contracts/console/receipts';
import type { LogRow } from '@/lib/ports/ledger-reader';

/** `roster` is the verified one in force: names come from nowhere else. */
export const receiptRow = (row: LogRow, roster: Roster | undefined, paired: Paired | null = null): ReceiptRow => ({
  index: Number(row.index),
  id: row.id,
  kind: row.kind,
  at: row.at,
  session: row.session ?? null,
  action: row.action ?? null,
  agent: row.agent ?? null,
  person: row.person ?? null,
  person_name: roster?.people.find(({ id, email }) => id === row.person || email === row.person)?.name ?? null,
  tool: row.tool ?? null,
  operation: row.operation ?? null,
  decision: row.decision ?? null,
  revision: row.revision ?? null,
  labels: row.labels ?? [],
  rules: row.rules ?? [],
  paired,
});
