import { neededGrantSigners, readGrant, type SignedGrant } from '@/lib/authority/verify-grant';
import { signedByOwners } from '@/lib/authority/signed-by-owners';
import type { SignedGrantOutcome, SignGrantInput } from '@/lib/contracts/console/grants';
import type { GrantRow } from '@/lib/ports/grant-store';
import type { Tx } from '@/lib/ports/transaction';
import { envelopeText, parseEnvelope, type Envelope } from '@/lib/shared/dsse';
import { keyId, type PersonId, type ProposalId } from '@/lib/shared/ids';
import { fail, ok, type Result } from '@/lib/shared/result';

import type { ConsoleParts } from '../console/console-parts';
import { raiseEpoch } from '../console/raise-epoch';
import { authorityToBuildOn } from '../console/roster-change-facts';
import { revocationOf } from './revoke-grant';
import { checkGrantTerms } from './grant-terms';

/**
 * An owner's signature on a grant. With enough of them it is issued: from this commit on every process counts with it. With fewer it waits,
 * stored with the signatures so far, and gives nothing. Failures: `grant_invalid`, `signature_invalid`, `key_kind_refused`, `forbidden`
 * (no signature of the caller), `conflict`.
 */
export async function signGrant(parts: ConsoleParts, by: PersonId, input: SignGrantInput & { readonly proposal?: ProposalId }): Promise<Result<SignedGrantOutcome>> {
  const authority = await authorityToBuildOn(parts);
  if (!authority.ok) return authority;
  const { root } = authority.value;
  const sent = parseEnvelope(input.envelope);
  const read = sent.ok ? readGrant(sent.value, parts.cryptography) : sent;
  if (!sent.ok || !read.ok) return fail('grant_invalid', 'The signed grant cannot be read.', { cause: read });
  if (read.value.workspace !== parts.workspace) return fail('grant_invalid', 'The grant was signed for another workspace.');
  const inForce = await parts.inForce.current();
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
    else await parts.grants.add(tx, rowOf(read.value, envelope, by, now, issued));
    if (issued) await issue(parts, tx, { signed: read.value, envelope: joined.value, by, now, proposal: input.proposal });
    return ok({ grant: terms.grant, state: issued ? 'issued' : 'waiting', signatures: people.length, needed });
  });
  if (done.ok) await parts.inForce.refresh();
  return done;
}

type Issuing = { readonly signed: SignedGrant; readonly envelope: Envelope; readonly by: PersonId; readonly now: string; readonly proposal: ProposalId | undefined };

async function issue(parts: ConsoleParts, tx: Tx, { signed: { terms, digest }, envelope, by, now, proposal }: Issuing): Promise<void> {
  const actor = { kind: 'person', id: by } as const;
  const signers = envelope.signatures.map(({ keyid }) => keyId(keyid));
  const receipts = [
    await parts.sign('grant_issued', now, { ...terms, digest, ...(proposal === undefined ? {} : { proposal }), signers, envelope, by: actor }, { person: by, agent: terms.agent, tool: terms.tool, ...(terms.operation === null ? {} : { operation: terms.operation }) }),
  ];
  // The wider one ends in the same commit: there is no moment at which both stand.
  const { replaces } = terms;
  if (replaces !== undefined && (await parts.grants.end(tx, replaces, now))) receipts.push(await revocationOf(parts, { grant: replaces, agent: terms.agent, cause: 'replaced', by }, now));
  await parts.ledger.append(tx, receipts);
  await raiseEpoch(parts, tx);
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

const rowOf = ({ terms }: SignedGrant, envelope: string, by: PersonId, now: string, issued: boolean): GrantRow => ({
  id: terms.grant, agent: terms.agent, tool: terms.tool, operation: terms.operation, uses: terms.uses, used: 0, expires_at: terms.expires_at, envelope,
  created_by: by, created_at: now, issued_at: issued ? now : null, ended_at: null,
});
