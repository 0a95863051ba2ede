import { buildStatement, statementBytes, statementPayloadType } from '@/lib/ledger/statement';
import { parsePredicate, predicateTypeOf } from '@/lib/ledger/parse-predicate';
import type { ReceiptKind, ReceiptPredicate } from '@/lib/ledger/receipt-predicate';
import type { Ids } from '@/lib/ports/ids';
import type { SignedReceipt } from '@/lib/ports/ledger-store';
import { preAuthenticationEncoding } from '@/lib/shared/dsse';
import { toBase64, type Sha256 } from '@/lib/shared/encoding';
import type { ReceiptId, WorkspaceId } from '@/lib/shared/ids';

import type { KeyInUse } from './keyring';
import { joinPredicate } from './parse-join-predicate';

type Common = 'workspace' | 'at' | 'receipt';

/** A predicate without what every receipt has. */
export type ReceiptBodyOf<Kind extends ReceiptKind> = Omit<ReceiptPredicate<Kind>, Common>;

/** The columns by which a receipt is found. */
export type ReceiptColumns = Omit<SignedReceipt, 'id' | 'kind' | 'at' | 'envelope' | 'until'>;

export type SignReceipt = <Kind extends ReceiptKind>(
  kind: Kind,
  at: string,
  body: ReceiptBodyOf<Kind>,
  columns: ReceiptColumns,
  /** Given when the receipt's id has to be known before (a permit names its receipt). */
  id?: ReceiptId,
) => Promise<SignedReceipt>;

/** One key for as long as the process runs, or whichever the trust root lets sign now. */
type SignsWith = KeyInUse | { readonly current: () => KeyInUse };

/**
 * Signs receipts with this process's own key, before any lock is taken; throws `KeyNotDelegated` when the root lets none of its keys. A predicate that does not fit its schema throws: a
 * receipt that nobody could read must never enter the log.
 */
export function receiptSigner(parts: {
  readonly workspace: WorkspaceId;
  readonly sha256: Sha256;
  readonly signer: SignsWith;
  readonly ids: Ids;
  /** The host's base64, when it has a faster one: every decision's receipt goes through it. */
  readonly base64?: (bytes: Uint8Array) => string;
  /** Kinds that a process writes thousands of times a second: their types are trusted, and tests read them back strictly. */
  readonly unchecked?: ReadonlySet<ReceiptKind>;
}): SignReceipt {
  const base64 = parts.base64 ?? toBase64;
  const { signer: given } = parts;
  const keyNow = 'current' in given ? given.current : () => given;
  return async (kind, at, body, columns, id = parts.ids.make('receipt')) => {
    const predicate = joinPredicate({ workspace: parts.workspace, at, receipt: id }, body);
    if (parts.unchecked?.has(kind) !== true) {
      const fits = parsePredicate(predicateTypeOf(kind), predicate);
      if (!fits.ok) throw new Error(`${fits.error.detail} ${JSON.stringify(fits.error.issues)}`);
    }
    const payload = statementBytes(buildStatement(parts.sha256, kind, predicate));
    // Chosen before signing: the key may change while the signature is being made.
    const signer = keyNow();
    const signature = await signer.sign(preAuthenticationEncoding(statementPayloadType, payload));
    // The envelope's canonical text, written in place: its texts are base64, hex and a constant, which need no escapes.
    const signatures = `[{"keyid":"${signer.keyId}","sig":"${base64(signature)}"}]`;
    const envelope = `{"payload":"${base64(payload)}","payloadType":"${statementPayloadType}","signatures":${signatures}}`;
    const receipt = { id, kind, at, envelope, ...columns };
    return signer.until === undefined ? receipt : { ...receipt, until: signer.until };
  };
}
