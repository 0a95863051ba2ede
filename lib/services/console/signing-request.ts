import { policyPayloadType, policyRevisionPayloadType } from '@/lib/authority/policy-revision';
import { signedByOwners } from '@/lib/authority/signed-by-owners';
import type { SigningRequestView } from '@/lib/contracts/console/signing-requests';
import type { SigningRequestRow } from '@/lib/ports/signing-request-store';
import { parseEnvelope } from '@/lib/shared/dsse';
import { digestOf, utf8 } from '@/lib/shared/encoding';
import { fail, ok, type Result } from '@/lib/shared/result';

import type { ConsoleParts } from './console-parts';
import { toSign } from './prepare-set-up';
import { authorityToBuildOn } from './roster-change-facts';

/** Long enough to fetch a colleague, short enough that a forgotten link is worth nothing tomorrow. */
const lifeMs = 60 * 60_000;

export type RequestedSignature = Pick<SigningRequestRow, 'purpose' | 'name' | 'text' | 'format' | 'signature' | 'place' | 'restores' | 'reason'>;

type Parts = Pick<ConsoleParts, 'signingRequests' | 'transactor' | 'ids'> & { readonly cryptography: Pick<ConsoleParts['cryptography'], 'sha256'> };

export const requestDigest = ({ cryptography }: Pick<Parts, 'cryptography'>, link: string): string => digestOf(cryptography.sha256, utf8(link));

/**
 * Lays a policy down for an owner's browser and gives a one-time secret that finds it. No receipt: it asks and gives nothing. What it
 * leads to has its own, and counts by signatures alone.
 */
export async function issueSigningRequest(parts: Parts, request: RequestedSignature): Promise<{ readonly token: string; readonly expires_at: string }> {
  const token = parts.ids.token('sign');
  return await parts.transactor.withHead(async (tx, { now }) => {
    const expires_at = new Date(Date.parse(now) + lifeMs).toISOString();
    await parts.signingRequests.add(tx, requestDigest(parts, token), { ...request, statement: null, expires_at });
    return { token, expires_at };
  });
}

/** The request behind a link while it is open. Failures: `not_found` (never issued, done, or out of date: one answer). */
export async function openSigningRequest(parts: Pick<ConsoleParts, 'signingRequests' | 'cryptography' | 'reads'>, link: string): Promise<Result<SigningRequestRow>> {
  const row = await parts.signingRequests.find(requestDigest(parts, link));
  const now = await parts.reads.now();
  return row && row.done_at === null && row.expires_at > now ? ok(row) : fail('not_found', 'This link was not issued here, was used, or is over an hour old.', { fix: 'Run the command again: it prints a new one.' });
}

/** What the page shows. Failures: those of `openSigningRequest` and of the authority in force. */
export async function signingRequestView(parts: ConsoleParts, link: string): Promise<Result<SigningRequestView>> {
  const authority = await authorityToBuildOn(parts);
  if (!authority.ok) return authority;
  const found = await openSigningRequest(parts, link);
  if (!found.ok) return found;
  const { purpose, name, text, format, restores, reason, place, signature, statement, expires_at } = found.value;
  const { root, roster } = authority.value;
  const envelope = parseEnvelope((place === null ? signature : statement) ?? '');
  const signed = envelope.ok ? (await signedByOwners(envelope.value, root, 'policy', parts.cryptography.verify)).people : [];
  const { policy } = await parts.inForce.current();
  const bytes = utf8(text);
  return ok({
    purpose, name, text, format, restores, reason, expires_at,
    digest: digestOf(parts.cryptography.sha256, bytes),
    policy: toSign({ payload_type: policyPayloadType, bytes }),
    place: place === null ? null : toSign({ payload_type: policyRevisionPayloadType, bytes: utf8(place) }),
    in_force: policy && { revision: policy.revision, text: policy.text },
    signers: signed.map((id) => roster.roster.people.find((person) => person.id === id)?.name ?? id),
  });
}
