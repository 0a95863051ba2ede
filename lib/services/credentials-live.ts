import type { CredentialStore } from '@/lib/ports/credential-store';
import type { CredentialId } from '@/lib/shared/ids';

import type { InForce } from './in-force';

/**
 * Whether the credentials that an action came in with could still bring it in. An identity is kept while an action waits and
 * validated again before anything runs; what the log says was revoked is so whatever the row says.
 */
export async function credentialsLive(
  credentials: Pick<CredentialStore, 'find'>,
  inForce: Pick<InForce, 'revoked'>,
  ids: readonly CredentialId[],
  now: string,
): Promise<boolean> {
  const found = await credentials.find(ids);
  return ids.every((id) => {
    const row = found.get(id);
    return row !== undefined && row.revoked_at === null && row.expires_at > now && !inForce.revoked.has(id);
  });
}
