import { isReceiptKind } from '@/lib/ledger/receipt-predicate';
import type { LogRow } from '@/lib/ports/ledger-reader';
import type { ActionId, ReceiptId, SessionId } from '@/lib/shared/ids';

import { big, bytes, int, orNull, text, texts, time, UnreadableRow, type Row } from './columns';
import type { Columns } from './statements';

export const receiptColumns = {
  index: 'int8', id: 'text', kind: 'text', at: 'timestamptz', envelope: 'text', leaf_hash: 'bytea', session_id: 'text', action_id: 'text',
  agent_id: 'text', person: 'text', tool: 'text', operation: 'text', decision: 'text', revision: 'int4', labels: 'text[]', rules: 'text[]',
} as const satisfies Columns;

const textOrNull = orNull(text);

export function readReceiptRow(row: Row): LogRow {
  const kind = text(row['kind']);
  if (!isReceiptKind(kind)) throw new UnreadableRow('a known kind of receipt', kind);
  const session = textOrNull(row['session_id']);
  const action = textOrNull(row['action_id']);
  const agent = textOrNull(row['agent_id']);
  const person = textOrNull(row['person']);
  const tool = textOrNull(row['tool']);
  const operation = textOrNull(row['operation']);
  const decision = textOrNull(row['decision']);
  const revision = orNull(int)(row['revision']);
  return {
    index: big(row['index']),
    id: text(row['id']) as ReceiptId,
    kind,
    at: time(row['at']),
    envelope: text(row['envelope']),
    leaf_hash: bytes(row['leaf_hash']),
    labels: orNull(texts)(row['labels']) ?? [],
    rules: orNull(texts)(row['rules']) ?? [],
    ...(session === null ? {} : { session: session as SessionId }),
    ...(action === null ? {} : { action: action as ActionId }),
    ...(agent === null ? {} : { agent }),
    ...(person === null ? {} : { person }),
    ...(tool === null ? {} : { tool }),
    ...(operation === null ? {} : { operation }),
    ...(decision === null ? {} : { decision }),
    ...(revision === null ? {} : { revision }),
  };
}
