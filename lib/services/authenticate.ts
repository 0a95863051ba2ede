import { credentialByTokenDigest } from '@/lib/authority/roster-lookup';
import type { Clock } from '@/lib/ports/clock';
import type { CredentialRow, CredentialStore } from '@/lib/ports/credential-store';
import { digestOf, utf8, type Sha256 } from '@/lib/shared/encoding';
import { fail, ok, type Result } from '@/lib/shared/result';

import type { AuthorityInForce } from './authority-in-force';
import type { Caller } from './caller';
import type { InForce } from './in-force';

/** Credentials remembered per epoch at most. A revocation raises the epoch, and with it everything here is forgotten. */
const remembered = 10_000;

export type Authenticate = (token: string) => Promise<Result<Caller>>;

/**
 * The live credential behind a bearer token. An agent's is a row; what vouches (orchestrator, enforcement and
 * information point) counts only when the signed roster lists the very token's digest: a row never loosens.
 * Failures: `unauthenticated`, `credential_expired`, `credential_revoked`.
 */
export function authenticator(parts: {
  readonly credentials: CredentialStore;
  readonly authority: AuthorityInForce;
  readonly sha256: Sha256;
  readonly clock: Clock;
}): Authenticate {
  let epoch = -1n;
  const known = new Map<string, CredentialRow>();
  return async (token) => {
    const inForce = await parts.authority.current();
    if (inForce.epoch !== epoch) {
      known.clear();
      epoch = inForce.epoch;
    }
    const digest = digestOf(parts.sha256, utf8(token));
    const row = known.get(digest) ?? (await parts.credentials.findByToken(digest));
    if (!row) return fail('unauthenticated', 'No credential has this token.', { fix: 'Send a live token as "Authorization: Bearer …".' });
    if (known.size < remembered) known.set(digest, row);
    return live(row, digest, inForce, parts.clock.now());
  };
}

function live(row: CredentialRow, digest: string, inForce: InForce, now: string): Result<Caller> {
  if (row.revoked_at !== null || inForce.revoked.has(row.id)) return fail('credential_revoked', `Credential ${row.id} was revoked.`, { fix: 'Ask an admin for a new one.' });
  if (row.expires_at <= now) return fail('credential_expired', `Credential ${row.id} expired at ${row.expires_at}.`, { fix: 'Ask an admin for a new one.' });
  const base = { credential: row.id, kind: row.kind, subject: row.subject, scopes: row.scopes };
  if (row.kind === 'agent') {
    const agent = inForce.agents.get(row.subject);
    if (!agent || agent.suspended_at !== null) return fail('credential_revoked', `Agent ${row.subject} is suspended or not registered.`);
    return ok({ ...base, listed: {} });
  }
  const listed = inForce.roster && credentialByTokenDigest(inForce.roster.roster, digest);
  // Its name is what policies list sources by: that, too, is the log's to say.
  if (!listed || listed.id !== row.id || listed.kind !== row.kind || inForce.subjects.get(row.id) !== row.subject) {
    return fail('unauthenticated', `The signed roster in force does not vouch for credential ${row.id}.`, { fix: 'An owner signs a roster that lists it.' });
  }
  if (listed.expires_at <= now) return fail('credential_expired', `The roster lists credential ${row.id} until ${listed.expires_at}.`);
  return ok({ ...base, listed: listed.scope });
}
