import { statementPayload, statementTypes, type ProposalStatement } from '@/lib/authority/owner-statements';
import { personById } from '@/lib/authority/roster-lookup';
import type { RevisionReference } from '@/lib/authority/policy-revision';
import type { MakeProposalInput, PreparedProposal, PrepareProposalInput } from '@/lib/contracts/console/proposals';
import type { Viewer } from '@/lib/contracts/console/viewer';
import { toSign } from '@/lib/services/console/prepare-set-up';
import { signedNow } from '@/lib/services/console/signed-now';
import type { ConsoleParts } from '@/lib/services/console/console-parts';
import { authorityToBuildOn } from '@/lib/services/console/roster-change-facts';
import { envelopePayload, parseEnvelope, verifiedSigners, type Envelope } from '@/lib/shared/dsse';
import { bytesEqual, digestOf, fromBase64, utf8 } from '@/lib/shared/encoding';
import type { ProposalId } from '@/lib/shared/ids';
import { fail, ok, type Result } from '@/lib/shared/result';

import { addProposal, type MadeProposal } from './add-proposal';
import { proposalTarget } from './proposal-targets';
import { signedAtOf } from './signed-at';
import { standingProposal } from './standing-proposal';

type Parts = ConsoleParts;

/** What a person signs to propose this text on what is in force. Nothing is stored. Failures: `policy_invalid` with its places. */
export async function prepareProposal(parts: Parts, viewer: Viewer, input: PrepareProposalInput): Promise<Result<PreparedProposal>> {
  const authority = await authorityToBuildOn(parts);
  if (!authority.ok) return authority;
  const target = proposalTarget(input.target);
  if (!target.ok) return target;
  const checked = target.value.check(parts, input);
  if (!checked.ok) return checked;
  const proposal = parts.ids.make('proposal');
  const base = target.value.base(await parts.inForce.current());
  const digest = digestOf(parts.cryptography.sha256, utf8(input.text));
  const terms: ProposalStatement = { proposal, target: input.target, base, digest, proposer: viewer.person };
  const bytes = statementPayload('proposal', parts.workspace, terms, await parts.reads.now());
  return ok({ proposal, base, digest, statement: toSign({ payload_type: statementTypes.proposal, bytes }) });
}

/**
 * A person proposes: their signature is over these very bytes on this very base. Failures: `signature_invalid`, `key_not_enrolled`, and
 * those of `addProposal`.
 */
export async function makeProposal(parts: Parts, viewer: Viewer, input: MakeProposalInput): Promise<Result<MadeProposal>> {
  const envelope = parseEnvelope(input.envelope);
  if (!envelope.ok) return envelope;
  const signed = await isSigned(parts, viewer, input, envelope.value);
  if (!signed.ok) return signed;
  const from = input.rebased_from === undefined ? ok(undefined) : await originOf(parts, input.rebased_from);
  if (!from.ok) return from;
  return await addProposal(parts, {
    id: input.proposal, target: input.target, origin: input.origin, text: input.text, format: input.format, base: input.base, reason: input.reason ?? null,
    by: { kind: 'person', id: viewer.person }, notCounted: [...new Set([viewer.person, ...(from.value ?? [])])], envelope: envelope.value,
    ...(input.rebased_from === undefined ? {} : { rebasedFrom: input.rebased_from }), ...(input.tests === undefined ? {} : { tests: input.tests }),
  });
}

async function isSigned(parts: Parts, viewer: Viewer, input: MakeProposalInput, envelope: Envelope): Promise<Result<null>> {
  const authority = await authorityToBuildOn(parts);
  if (!authority.ok) return authority;
  const payload = envelope.payloadType === statementTypes.proposal ? envelopePayload(envelope) : undefined;
  const at = payload && signedAtOf(payload);
  if (!payload || at === undefined) return fail('signature_invalid', 'The envelope does not hold a proposal.');
  const base: RevisionReference | null = input.base;
  const terms: ProposalStatement = { proposal: input.proposal, target: input.target, base, digest: digestOf(parts.cryptography.sha256, utf8(input.text)), proposer: viewer.person };
  if (!bytesEqual(payload, statementPayload('proposal', parts.workspace, terms, at))) return fail('signature_invalid', 'Another proposal was signed than was sent.');
  const fresh = signedNow(at, await parts.reads.now());
  if (!fresh.ok) return fresh;
  const [signature, ...more] = envelope.signatures;
  const key = personById(authority.value.roster.roster, viewer.person)?.keys.find(({ id }) => id === signature?.keyid);
  const publicKey = key && fromBase64(key.public_key);
  if (!key || !publicKey || more.length > 0) return fail('key_not_enrolled', 'The roster in force does not list this key for you.', { fix: 'Enrol the key under Settings.' });
  const signers = await verifiedSigners(envelope, new Map([[key.id, publicKey]]), parts.cryptography.verify);
  return signers.has(key.id) ? ok(null) : fail('signature_invalid', 'The signature on the proposal does not verify.');
}

/** Who had a hand in what it is made from: they have one in this too. */
async function originOf(parts: Parts, id: ProposalId) {
  const { root } = await parts.inForce.current();
  if (!root) return fail('trust_root_invalid', 'No trust root is in force.');
  const standing = await standingProposal(parts, root.root, id);
  return standing.ok ? ok(standing.value.proposed.not_counted ?? []) : standing;
}
