import { maxStatementBytes } from '@/lib/ledger/statement';
import { readCanonicalDocument } from '@/lib/shared/canonical-document';
import { isJsonObject } from '@/lib/shared/json';
import { isTimestamp, type Timestamp } from '@/lib/shared/timestamp';

/** The signer's clock, as a signed statement has it; the rest of the statement is written again and compared. */
export function signedAtOf(payload: Uint8Array): Timestamp | undefined {
  const read = readCanonicalDocument(payload, maxStatementBytes);
  const at = read.ok && isJsonObject(read.value) ? read.value['signed_at'] : undefined;
  return typeof at === 'string' && isTimestamp(at) ? at : undefined;
}
