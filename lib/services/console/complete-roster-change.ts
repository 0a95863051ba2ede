import { verifyKeyEnrolment } from '@/lib/authority/key-enrolment';
import { parseRoster } from '@/lib/authority/parse-roster';
import { rosterBytes } from '@/lib/authority/sign-documents';
import type { VerifiedRoster } from '@/lib/authority/roster';
import type { TrustRoot } from '@/lib/authority/trust-root';
import { verifyNextRoster } from '@/lib/authority/verify-roster';
import type { CompleteRosterChangeInput, RosterChange, RosterChangeOutcome } from '@/lib/contracts/console/roster';
import type { Tx } from '@/lib/ports/transaction';
import { envelopePayload, parseEnvelope, type Envelope } from '@/lib/shared/dsse';
import { bytesEqual } from '@/lib/shared/encoding';
import { isId, type KeyId, type PersonId } from '@/lib/shared/ids';
import { fail, ok, type Result } from '@/lib/shared/result';

import type { ConsoleParts } from './console-parts';
import { nextRoster, type ChangeFacts } from './next-roster';
import { raiseEpoch } from './raise-epoch';
import { authorityToBuildOn, changeFacts } from './roster-change-facts';
import { rosterReceipts } from './roster-receipts';

/**
 * Takes an owner-signed roster into force. It counts only when it is byte for byte what this change makes of the roster
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
  const envelope = parseEnvelope(input.roster);
  if (!envelope.ok) return envelope;
  const verified = await verifyNextRoster(envelope.value, root, roster, parts.cryptography);
  if (!verified.ok) return verified;
  const enrolment = await verifyCountersigned(parts, input, root, roster);
  if (!enrolment.ok) return enrolment;

  const done = await parts.transactor.withHead(async (tx, { now }): Promise<Result<RosterChangeOutcome>> => {
    const rows = await parts.authority.rosters(tx);
    if (rows.at(-1)?.version !== roster.roster.version) return fail('conflict', 'The roster has changed meanwhile.', { fix: 'Load the page and sign again.' });
    const facts = await changeFacts(parts, input.change, tx);
    const expected = isExpected(envelope.value, roster, root, input.change, facts);
    if (!expected.ok) return expected;
    const { version } = verified.value.roster;
    await parts.authority.addRoster(tx, { version, envelope: input.roster });
    await applyRows(parts, tx, by, input.change, facts, now);
    const signers = ownerKeysOf(envelope.value, root);
    const receipts = await rosterReceipts(parts, { by, change: input.change, before: roster, after: verified.value, signers, facts, at: now });
    await parts.ledger.append(tx, receipts);
    await raiseEpoch(parts, tx);
    return ok({ version });
  });
  if (done.ok) await parts.inForce.refresh();
  return done;
}

/** `verifyRoster` refuses a bad signature of an owner's key, so every one that is listed was checked; others are ignored. */
const ownerKeysOf = (envelope: Envelope, root: TrustRoot): readonly KeyId[] =>
  root.owners.map(({ key }) => key.id).filter((id) => envelope.signatures.some(({ keyid }) => keyid === id));

/** A key enters only with its own signature and an owner's (or the person's earlier key's) on its enrolment. */
async function verifyCountersigned(parts: ConsoleParts, input: CompleteRosterChangeInput, root: TrustRoot, roster: VerifiedRoster): Promise<Result<null>> {
  if (input.change.kind !== 'enrol_key') return ok(null);
  const { enrolment: waiting } = await changeFacts(parts, input.change);
  if (!waiting) return fail('not_found', 'No such key is waiting.');
  const countersigned = parseEnvelope(input.countersigned ?? '');
  if (!countersigned.ok) return fail('signature_invalid', 'The countersigned enrolment is missing or cannot be read.', { cause: countersigned.error });
  const verified = await verifyKeyEnrolment(countersigned.value, root, roster.roster, parts.cryptography);
  if (!verified.ok) return verified;
  const same = verified.value.person === waiting.row.person && verified.value.key.id === waiting.key.id && verified.value.key.kind === waiting.key.kind;
  return same ? ok(null) : fail('signature_invalid', 'The countersigned enrolment is another one than the one that waits.');
}

function isExpected(envelope: Envelope, current: VerifiedRoster, root: TrustRoot, change: RosterChange, facts: ChangeFacts): Result<null> {
  const bytes = envelopePayload(envelope);
  const signed = bytes && parseRoster(bytes);
  if (!bytes || !signed?.ok) return fail('roster_invalid', 'The signed roster cannot be read.');
  const expected = nextRoster(current, root.version, change, facts, signed.value.created_at);
  if (!expected.ok) return expected;
  return bytesEqual(rosterBytes(expected.value), bytes) ? ok(null) : fail('roster_invalid', 'The signed roster is not the one that this change makes.');
}

/** The rows that follow from the document: they find things, the document is what counts. */
async function applyRows(parts: ConsoleParts, tx: Tx, by: PersonId, change: RosterChange, facts: ChangeFacts, now: string): Promise<void> {
  if (change.kind === 'enrol_key' && facts.enrolment) await parts.people.resolveEnrolment(tx, facts.enrolment.row.id, 'enrolled');
  if (change.kind === 'remove_credential' && isId('credential', change.credential)) await parts.credentials.revoke(tx, change.credential, now);
  if (change.kind !== 'add_credential') return;
  await parts.credentials.add(tx, {
    id: change.credential, kind: change.credential_kind, subject: change.subject, token_digest: change.token_digest, scopes: [],
    created_by: by, created_at: now, expires_at: change.expires_at, revoked_at: null,
  });
}
