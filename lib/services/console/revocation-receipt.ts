import type { CredentialRow } from '@/lib/ports/credential-store';
import type { SignedReceipt } from '@/lib/ports/ledger-store';
import type { PersonId } from '@/lib/shared/ids';

import type { ConsoleParts } from './console-parts';

/** That a person ended a credential. */
export const revocationReceipt = ({ sign }: Pick<ConsoleParts, 'sign'>, { id, kind, subject }: CredentialRow, by: PersonId, at: string): Promise<SignedReceipt> =>
  sign(
    'credential_administered',
    at,
    { credential: id, kind, subject, change: 'revoked', by: { kind: 'person', id: by } },
    { person: by, ...(kind === 'agent' ? { agent: subject } : {}) },
  );
