import { normalEmail } from '@/lib/shared/email';
import type { PersonRow } from '@/lib/ports/people-store';
import { fail, ok, type Result } from '@/lib/shared/result';

import type { AuthParts } from './auth-parts';

export type SignedIn = { readonly person: PersonRow; readonly at: string };

/**
 * Checks a password. One answer for an unknown address, a wrong password and a suspended person, and one duration: the
 * page tells nobody who has an account. Failures: `unauthenticated`, `rate_limited`.
 */
export async function signIn(parts: AuthParts, credentials: { readonly email: string; readonly password: string }, address: string): Promise<Result<SignedIn>> {
  const email = normalEmail(credentials.email);
  const now = await parts.reads.now();
  const nowMs = Date.parse(now);
  if (email.length > 254 || credentials.password.length > 200) return refused();
  if (!parts.limits.mayTry(email, address, nowMs)) return fail('rate_limited', 'Too many tries. Wait a quarter of an hour.');
  // Counted before it is known how it ends: tries that run at once would otherwise all pass under the limit.
  parts.limits.failed(email, address, nowMs);
  const row = await parts.people.byEmail(email);
  const right = await parts.passwords.verify(credentials.password, row?.password_hash ?? null);
  if (!row || !right || row.suspended_at !== null) return refused();
  parts.limits.succeeded(email, address);
  return await parts.transactor.withHead(async (tx, head) => {
    const by = { kind: 'person', id: row.id } as const;
    await parts.ledger.append(tx, [await parts.sign('user_administered', head.now, { person: row.id, change: 'signed_in', by }, { person: row.id })]);
    return ok({ person: row, at: head.now });
  });
}

const refused = () => fail('unauthenticated', 'No account has this address and password.');
