import { buildStatement, statementBytes, statementPayloadType } from '@/lib/ledger/statement';
import type { ReceiptKind, ReceiptPredicate } from '@/lib/ledger/receipt-predicate';
import type { Ids } from '@/lib/ports/ids';
import type { SignedReceipt } from '@/lib/ports/ledger-store';
import { envelopeText, signEnvelope, type Signer } from '@/lib/shared/dsse';
import type { Sha256 } from '@/lib/shared/encoding';
import type { ReceiptId, WorkspaceId } from '@/lib/shared/ids';

import { parsePredicate } from './parse-predicate';

type Common = 'workspace' | 'at' | 'receipt';

/** A predicate without what every receipt has. */
export type ReceiptBodyOf<Kind extends ReceiptKind> = Omit<ReceiptPredicate<Kind>, Common>;

/** The columns by which a receipt is found. */
export type ReceiptColumns = Omit<SignedReceipt, 'id' | 'kind' | 'at' | 'envelope'>;

export type SignReceipt = <Kind extends ReceiptKind>(
  kind: Kind,
  at: string,
  body: ReceiptBodyOf<Kind>,
  columns: ReceiptColumns,
  /** Given when the receipt's id has to be known before (a permit names its receipt). */
  id?: ReceiptId,
) => Promise<SignedReceipt>;

/** Signs receipts with this process's own key, before any lock is taken. */
export function receiptSigner(parts: {
  readonly workspace: WorkspaceId;
  readonly sha256: Sha256;
  readonly signer: Signer;
  readonly ids: Ids;
}): SignReceipt {
  return async (kind, at, body, columns, id = parts.ids.make('receipt')) => {
    const predicate = parsePredicate({ workspace: parts.workspace, at, receipt: id }, body);
    const statement = buildStatement(parts.sha256, kind, predicate);
    const envelope = await signEnvelope(statementPayloadType, statementBytes(statement), [parts.signer]);
    return { id, kind, at, envelope: envelopeText(envelope), ...columns };
  };
}
