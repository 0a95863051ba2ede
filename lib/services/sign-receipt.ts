import { buildStatement, statementBytes, statementPayloadType } from '@/lib/ledger/statement';
import { parsePredicate, predicateTypeOf } from '@/lib/ledger/parse-predicate';
import type { ReceiptKind, ReceiptPredicate } from '@/lib/ledger/receipt-predicate';
import type { Ids } from '@/lib/ports/ids';
import type { SignedReceipt } from '@/lib/ports/ledger-store';
import { preAuthenticationEncoding, type Signer } from '@/lib/shared/dsse';
import { toBase64, type Sha256 } from '@/lib/shared/encoding';
import type { ReceiptId, WorkspaceId } from '@/lib/shared/ids';

import { joinPredicate } from './parse-join-predicate';

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

/**
 * Signs receipts with this process's own key, before any lock is taken. A predicate that does not fit its schema throws: a
 * receipt that nobody could read must never enter the log.
 */
export function receiptSigner(parts: {
  readonly workspace: WorkspaceId;
  readonly sha256: Sha256;
  readonly signer: Signer;
  readonly ids: Ids;
  /** The host's base64, when it has a faster one: every decision's receipt goes through it. */
  readonly base64?: (bytes: Uint8Array) => string;
  /** Kinds that a process writes thousands of times a second: their types are trusted, and tests read them back strictly. */
  readonly unchecked?: ReadonlySet<ReceiptKind>;
}): SignReceipt {
  const base64 = parts.base64 ?? toBase64;
  return async (kind, at, body, columns, id = parts.ids.make('receipt')) => {
    const predicate = joinPredicate({ workspace: parts.workspace, at, receipt: id }, body);
    if (parts.unchecked?.has(kind) !== true) {
      const fits = parsePredicate(predicateTypeOf(kind), predicate);
      if (!fits.ok) throw new Error(`${fits.error.detail} ${JSON.stringify(fits.error.issues)}`);
    }
    const payload = statementBytes(buildStatement(parts.sha256, kind, predicate));
    const signature = await parts.signer.sign(preAuthenticationEncoding(statementPayloadType, payload));
    // The envelope's canonical text, written in place: its texts are base64, hex and a constant, which need no escapes.
    const signatures = `[{"keyid":"${parts.signer.keyId}","sig":"${base64(signature)}"}]`;
    const envelope = `{"payload":"${base64(payload)}","payloadType":"${statementPayloadType}","signatures":${signatures}}`;
    return { id, kind, at, envelope, ...columns };
  };
}
