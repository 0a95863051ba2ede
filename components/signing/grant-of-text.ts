import { statementTypes } from '@/lib/authority/owner-statements';
import { readGrant } from '@/lib/authority/verify-grant';
import { sha256 } from '@/lib/client/hash';
import type { ProposedGrant } from '@/lib/contracts/console/proposals';
import { toBase64, utf8 } from '@/lib/shared/encoding';

/** What a grant's document gives, read in this browser from the very text that gets signed; null where it cannot be read. */
export function grantOfText(text: string): ProposedGrant | null {
  const read = readGrant({ payloadType: statementTypes.grant, payload: toBase64(utf8(text)), signatures: [] }, { sha256 });
  return read.ok ? { ...read.value.terms, reason: read.value.terms.reason ?? null } : null;
}
