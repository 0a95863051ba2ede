import { collectSignatures } from '@/lib/authority/collect-signatures';
import { verifyKeyEnrolment } from '@/lib/authority/key-enrolment';
import { parseRoster } from '@/lib/authority/parse-roster';
import { rosterBytes } from '@/lib/authority/sign-documents';
import type { Roster, VerifiedRoster } from '@/lib/authority/roster';
import { signedByOwners } from '@/lib/authority/signed-by-owners';
import type { TrustRoot } from '@/lib/authority/trust-root';
import { verifyNextRoster } from '@/lib/authority/verify-roster';
import type { CompleteRosterChangeInput, RosterChange, RosterChangeOutcome } from '@/lib/contracts/console/roster';
import type { Tx } from '@/lib/ports/transaction';
import { asJson } from '@/lib/shared/as-json';
import { canonicalJson } from '@/lib/shared/canonical-json';
import { envelopePayload, envelopeText, parseEnvelope, type Envelope } from '@/lib/shared/dsse';
import { bytesEqual, digestOf } from '@/lib/shared/encoding';
import { isId, type KeyId, type PersonId } from '@/lib/shared/ids';
import { fail, ok, type Result } from '@/lib/shared/result';

import type { ConsoleParts } from './console-parts';
import { nextRoster, type ChangeFacts } from './next-roster';
import { raiseEpoch } from './raise-epoch';
import { authorityToBuildOn, changeFacts, stillOwner } from './roster-change-facts';
import { rosterReceipts } from './roster-receipts';
import { keptRoster } from './kept-roster';

/**
 * Takes owners' signatures on the roster that a change makes; with as many as loosening asks for it is in force. It counts only when it is byte for byte what this change makes of the roster
 * in force, so that a signature collected for one change cannot carry another. Failures: `roster_invalid`,
 * `signature_invalid`, `forbidden` (an enrolment nobody countersigned), `not_found`, `conflict`.
 */
export async function completeRosterChange(
  parts: ConsoleParts,
  by: PersonId,
  input: CompleteRosterChangeInput,
): Promise<Result<RosterChangeOutcome>> {
  const authority = await authorityToBuildOn(parts);
  if (!authority.ok) return authority;
  const { root, roster } = authority.value;
  const leaves = stillOwner(root, input.change);
  if (!leaves.ok) return leaves;
  const given = parseEnvelope(input.roster);
  if (!given.ok) return given;
  const worth = await signedByOwners(given.value, root, 'policy', parts.cryptography.verify);
  if (worth.invalid || worth.people.length === 0) {
    const refused = await verifyNextRoster(given.value, root, roster, parts.cryptography);
    return refused.ok ? fail('roster_invalid', 'No owner has signed the roster.') : refused;
  }
  const done = await parts.transactor.withHead(async (tx, { now }): Promise<Result<RosterChangeOutcome>> => {
    const rows = await parts.authority.rosters(tx);
    if (rows.at(-1)?.version !== roster.roster.version) return fail('conflict', 'The roster has changed meanwhile.', { fix: 'Load the page and sign again.' });
    const facts = await changeFacts(parts, input.change, tx);
    const expected = isExpected(given.value, roster, root, input.change, facts);
    if (!expected.ok) return expected;
    const collected = await collect(parts, tx, given.value, input);
    if (!collected.ok) return collected;
    const { envelope, countersigned } = collected.value;
    const enrolment = await verifyCountersigned(parts, input.change, countersigned, facts, root, roster);
    if (!enrolment.ok) return enrolment;
    const { version } = expected.value;
    const signed = await signedByOwners(envelope, root, 'policy', parts.cryptography.verify);
    if (!signed.invalid && signed.people.length < root.thresholds.loosening) {
      await collected.value.keep(by, expected.value.created_at);
      await parts.events.publish(tx, [{ kind: 'epoch_raised', id: parts.workspace }]);
      return ok({ state: 'waiting', version, signed: signed.people.length, needed: root.thresholds.loosening });
    }
    const verified = await verifyNextRoster(envelope, root, roster, parts.cryptography);
    if (!verified.ok) return verified;
    await collected.value.end(now);
    await parts.authority.addRoster(tx, { version, envelope: envelopeText(envelope) });
    await applyRows(parts, tx, by, input.change, facts, now);
    const signers = ownerKeysOf(envelope, root);
    const receipts = await rosterReceipts(parts, { by, change: input.change, before: roster, after: verified.value, signers, facts, at: now });
    await parts.ledger.append(tx, receipts);
    await raiseEpoch(parts, tx);
    return ok({ state: 'in_force', version });
  });
  if (done.ok) await parts.inForce.refresh();
  return done;
}

type Collected = {
  readonly envelope: Envelope;
  readonly countersigned: string | undefined;
  readonly keep: (by: PersonId, startedAt: string) => Promise<void>;
  readonly end: (now: string) => Promise<void>;
};

/** What was given, with the signatures of others over the same roster that wait already. */
async function collect({ ceremonies, cryptography }: ConsoleParts, tx: Tx, given: Envelope, input: CompleteRosterChangeInput): Promise<Result<Collected>> {
  const digest = digestOf(cryptography.sha256, envelopePayload(given) ?? new Uint8Array());
  const row = await ceremonies.find(digest, tx);
  if (row && row.state !== 'open') return fail('conflict', 'This change was withdrawn, or is in force already.');
  const kept = row && keptRoster(row.envelopes);
  const envelope = (kept?.roster && collectSignatures(kept.roster, given)) ?? given;
  const countersigned = input.countersigned ?? kept?.countersigned;
  return ok({
    envelope,
    countersigned,
    keep: async (started_by, started_at) => {
      const envelopes = canonicalJson({ roster: envelopeText(envelope), ...(countersigned === undefined ? {} : { countersigned }) });
      if (row) await ceremonies.keep(tx, digest, envelopes);
      else await ceremonies.add(tx, { digest, kind: 'roster', change: canonicalJson(asJson(input.change)), envelopes, state: 'open', started_by, started_at });
    },
    end: async (now) => {
      if (row) await ceremonies.end(tx, digest, 'completed', now);
      // Others that wait follow the roster that has just been replaced.
      for (const other of await ceremonies.open(tx)) if (other.kind === 'roster') await ceremonies.end(tx, other.digest, 'superseded', now);
    },
  });
}

/** `verifyRoster` refuses a bad signature of an owner's key, so every one that is listed was checked; others are ignored. */
const ownerKeysOf = (envelope: Envelope, root: TrustRoot): readonly KeyId[] =>
  root.owners.map(({ key }) => key.id).filter((id) => envelope.signatures.some(({ keyid }) => keyid === id));

/** A key enters only with its own signature and an owner's (or the person's earlier key's) on its enrolment. */
async function verifyCountersigned(parts: ConsoleParts, change: RosterChange, text: string | undefined, { enrolment: waiting }: ChangeFacts, root: TrustRoot, roster: VerifiedRoster): Promise<Result<null>> {
  if (change.kind !== 'enrol_key') return ok(null);
  if (!waiting) return fail('not_found', 'No such key is waiting.');
  const countersigned = parseEnvelope(text ?? '');
  if (!countersigned.ok) return fail('signature_invalid', 'The countersigned enrolment is missing or cannot be read.', { cause: countersigned.error });
  const verified = await verifyKeyEnrolment(countersigned.value, root, roster.roster, parts.cryptography);
  if (!verified.ok) return verified;
  const same = verified.value.person === waiting.row.person && verified.value.key.id === waiting.key.id && verified.value.key.kind === waiting.key.kind;
  return same ? ok(null) : fail('signature_invalid', 'The countersigned enrolment is another one than the one that waits.');
}

function isExpected(envelope: Envelope, current: VerifiedRoster, root: TrustRoot, change: RosterChange, facts: ChangeFacts): Result<Roster> {
  const bytes = envelopePayload(envelope);
  const signed = bytes && parseRoster(bytes);
  if (!bytes || !signed?.ok) return fail('roster_invalid', 'The signed roster cannot be read.');
  const expected = nextRoster(current, root.version, change, facts, signed.value.created_at);
  if (!expected.ok) return expected;
  return bytesEqual(rosterBytes(expected.value), bytes) ? expected : fail('roster_invalid', 'The signed roster is not the one that this change makes.');
}

/** The rows that follow from the document: they find things, the document is what counts. */
async function applyRows(parts: ConsoleParts, tx: Tx, by: PersonId, change: RosterChange, facts: ChangeFacts, now: string): Promise<void> {
  if (change.kind === 'enrol_key' && facts.enrolment) await parts.people.resolveEnrolment(tx, facts.enrolment.row.id, 'enrolled');
  if (change.kind === 'restore_person') await parts.people.suspend(tx, change.person, null);
  if (change.kind === 'remove_person') await parts.people.signOutEverywhere(tx, change.person, now);
  if (change.kind === 'remove_credential' && isId('credential', change.credential)) await parts.credentials.revoke(tx, change.credential, now);
  if (change.kind !== 'add_credential') return;
  await parts.credentials.add(tx, {
    id: change.credential, kind: change.credential_kind, subject: change.subject, token_digest: change.token_digest, scopes: [],
    created_by: by, created_at: now, expires_at: change.expires_at, revoked_at: null,
  });
}
