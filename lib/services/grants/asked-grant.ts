import { statementTypes } from '@/lib/authority/owner-statements';
import { readGrant, type SignedGrant } from '@/lib/authority/verify-grant';
import type { Cryptography } from '@/lib/authority/verify-trust-root';
import { toBase64, utf8 } from '@/lib/shared/encoding';
import type { Result } from '@/lib/shared/result';

/** A grant that is asked for: the very document that owners would sign, which nobody has signed. `grant_invalid`. */
export const askedGrant = (text: string, cryptography: Pick<Cryptography, 'sha256'>): Result<SignedGrant> =>
  readGrant({ payloadType: statementTypes.grant, payload: toBase64(utf8(text)), signatures: [] }, cryptography);

/** What the proof of it says: the terms are all that it changes, which leaves nothing to search. */
export const grantProofMethod = 'the terms themselves';
/** What nobody finds out from terms. */
export const grantProofOpen = 'What the agent does with each use, within these terms and what policy decides.';
