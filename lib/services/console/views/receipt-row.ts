import type { ReceiptRow } from '@/lib/contracts/console/receipts';
import type { LogRow } from '@/lib/ports/ledger-reader';

export const receiptRow = (row: LogRow): ReceiptRow => ({
  index: Number(row.index),
  id: row.id,
  kind: row.kind,
  at: row.at,
  session: row.session ?? null,
  action: row.action ?? null,
  agent: row.agent ?? null,
  person: row.person ?? null,
  tool: row.tool ?? null,
  operation: row.operation ?? null,
  decision: row.decision ?? null,
  revision: row.revision ?? null,
  labels: row.labels ?? [],
});
