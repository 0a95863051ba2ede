import { neededGrantSigners, readGrant } from '@/lib/authority/verify-grant';
import { signedByOwners } from '@/lib/authority/signed-by-owners';
import type { SignedGrantOutcome, SignGrantInput } from '@/lib/contracts/console/grants';
import type { GrantRow } from '@/lib/ports/grant-store';
import { envelopeText, parseEnvelope, type Envelope } from '@/lib/shared/dsse';
import type { PersonId } from '@/lib/shared/ids';
import { fail, ok, type Result } from '@/lib/shared/result';

import type { ConsoleParts } from '../console/console-parts';
import { authorityToBuildOn } from '../console/roster-change-facts';
import { checkGrantTerms } from './grant-terms';
import { grantRow } from './grant-row';
import { issueGrant } from './issue-grant';

/**
 * An owner's signature on a grant. With enough of them it is issued: from this commit on every process counts with it. With fewer it waits,
 * stored with the signatures so far, and gives nothing. Failures: `grant_invalid`, `signature_invalid`, `key_kind_refused`, `forbidden`
 * (no signature of the caller), `conflict`.
 */
export async function signGrant(parts: ConsoleParts, by: PersonId, input: SignGrantInput): Promise<Result<SignedGrantOutcome>> {
  const authority = await authorityToBuildOn(parts);
  if (!authority.ok) return authority;
  const { root } = authority.value;
  const sent = parseEnvelope(input.envelope);
  const read = sent.ok ? readGrant(sent.value, parts.cryptography) : sent;
  if (!sent.ok || !read.ok) return fail('grant_invalid', 'The signed grant cannot be read.', { cause: read });
  if (read.value.workspace !== parts.workspace) return fail('grant_invalid', 'The grant was signed for another workspace.');
  const inForce = await parts.inForce.refresh();
  const needed = neededGrantSigners(root);
  const done = await parts.transactor.withHead(async (tx, { now }): Promise<Result<SignedGrantOutcome>> => {
    const { terms } = read.value;
    const row = (await parts.grants.find([terms.grant], tx)).get(terms.grant);
    if (row && (row.issued_at !== null || row.ended_at !== null)) return fail('conflict', row.issued_at === null ? 'This grant was given up.' : 'This grant is issued already.');
    const checked = checkGrantTerms(terms, inForce, now);
    if (!checked.ok) return checked;
    const joined = joinSignatures(sent.value, row);
    if (!joined.ok) return joined;
    const { people, invalid, unknown, kindRefused } = await signedByOwners(joined.value, root, 'policy', parts.cryptography.verify);
    if (invalid || unknown) return fail('signature_invalid', 'A signature on the grant does not verify, or is by no key of an owner.');
    if (kindRefused) return fail('key_kind_refused', 'The trust root does not let this kind of key sign grants.');
    if (!people.includes(by)) return fail('forbidden', 'None of the signatures is yours.');
    const issued = people.length >= needed;
    const envelope = envelopeText(joined.value);
    if (row) await parts.grants.sign(tx, terms.grant, envelope, issued ? now : null);
    else await parts.grants.add(tx, grantRow(read.value, envelope, by, now, issued));
    if (issued) await issueGrant(parts, tx, { signed: read.value, envelope: joined.value, by, now });
    return ok({ grant: terms.grant, state: issued ? 'issued' : 'waiting', signatures: people.length, needed });
  });
  if (done.ok) await parts.inForce.refresh();
  return done;
}

/** The signatures stored so far and those that came: over the same bytes, each key once. */
function joinSignatures(sent: Envelope, row: GrantRow | undefined): Result<Envelope> {
  const stored = row && parseEnvelope(row.envelope);
  if (!stored) return ok(sent);
  // What waits is only a row: nothing of it is believed beyond signatures, and those are verified with the rest.
  if (!stored.ok || stored.value.payload !== sent.payload) return fail('conflict', 'Another text waits under this grant’s id.');
  const others = stored.value.signatures.filter(({ keyid }) => !sent.signatures.some((one) => one.keyid === keyid));
  return ok({ ...sent, signatures: [...others, ...sent.signatures] });
}
