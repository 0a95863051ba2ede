import { isListedFor } from '@/lib/authority/roster-lookup';
import type { CredentialId } from '@/lib/shared/ids';

import type { InForce } from './in-force';

/**
 * The credential under which an information point may say an attribute. That a process has its address makes nobody believed: the
 * signed roster in force has to list it, under the name that the log gave it, for that attribute, now. Null: it does not.
 */
export function voucherOf({ roster, subjects, revoked }: InForce, source: string, attribute: string, now: string): CredentialId | null {
  const found = roster?.roster.credentials.find(
    ({ id, kind, scope, expires_at }) =>
      kind === 'information_point' && `ip:${subjects.get(id) ?? ''}` === source && expires_at > now && !revoked.has(id) && isListedFor(scope, 'attributes', attribute),
  );
  return found?.id ?? null;
}
