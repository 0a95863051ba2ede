import { statementPayload, statementTypes } from '@/lib/authority/owner-statements';
import { nextProposalState } from '@/lib/authority/proposal';
import type { SignedProposals, SignedStep, SignProposalsInput } from '@/lib/contracts/console/proposals';
import type { Viewer } from '@/lib/contracts/console/viewer';
import type { Tx } from '@/lib/ports/transaction';
import type { ConsoleParts } from '@/lib/services/console/console-parts';
import { authorityToBuildOn } from '@/lib/services/console/roster-change-facts';
import { signedNow } from '@/lib/services/console/signed-now';
import { envelopePayload, parseEnvelope, type Envelope } from '@/lib/shared/dsse';
import { keyId } from '@/lib/shared/ids';
import { fail, ok, type Result } from '@/lib/shared/result';
import type { TrustRoot } from '@/lib/authority/trust-root';

import { applyProposal } from './apply-proposal';
import { chainOfProposals, type ChainStep } from './chain-of-proposals';
import { isSignedBy } from './merged-signatures';
import { signedAtOf } from './signed-at';

type Signed = { readonly root: TrustRoot; readonly chain: readonly ChainStep[]; readonly statement: Envelope; readonly at: string };

/**
 * An owner signs proposals in order; each that then has enough signatures is applied, in that order, the base compared again each time.
 * A crash in between leaves signatures that count and steps that anybody may apply. Failures: `signature_invalid`, `already_voted`, and
 * those of `chainOfProposals`.
 */
export async function signProposals(parts: ConsoleParts, viewer: Viewer, input: SignProposalsInput): Promise<Result<SignedProposals>> {
  const signed = await verifySigned(parts, viewer, input);
  if (!signed.ok) return signed;
  const written = await parts.transactor.withHead((tx, { now }) => writeSignatures(parts, tx, now, viewer, input, signed.value));
  if (!written.ok) return written;
  const steps: SignedStep[] = [];
  let goesOn = true;
  for (const id of input.proposals) {
    const applied: Result<{ readonly revision: number | null }> = goesOn ? await applyProposal(parts, { kind: 'person', id: viewer.person }, id) : fail('conflict', 'The step before it is not in force yet.');
    goesOn = applied.ok;
    steps.push({ proposal: id, applied: applied.ok, revision: applied.ok ? applied.value.revision : null, waits: applied.ok ? null : applied.error.detail });
  }
  return ok({ steps });
}

async function verifySigned(parts: ConsoleParts, viewer: Viewer, input: SignProposalsInput): Promise<Result<Signed>> {
  const authority = await authorityToBuildOn(parts);
  if (!authority.ok) return authority;
  const { root } = authority.value;
  const statement = parseEnvelope(input.statement);
  if (!statement.ok) return statement;
  const chain = await chainOfProposals(parts, root, await parts.inForce.current(), input.proposals);
  if (!chain.ok) return chain;
  const payload = envelopePayload(statement.value);
  const at = payload && signedAtOf(payload);
  if (at === undefined) return fail('signature_invalid', 'The signed statement cannot be read.');
  const fresh = signedNow(at, await parts.reads.now());
  if (!fresh.ok) return fresh;
  const bytes = statementPayload('proposal_signature', parts.workspace, { steps: chain.value.map(({ step }) => step) }, at);
  const own = (envelope: Envelope, document: { readonly payload_type: string; readonly bytes: Uint8Array }) => isSignedBy(envelope, document, viewer.person, root, parts.cryptography);
  if (!(await own(statement.value, { payload_type: statementTypes.proposal_signature, bytes }))) {
    return fail('signature_invalid', 'Your signature does not cover these proposals in this order, with the proofs that they have.', { fix: 'Load the page and sign again.' });
  }
  for (const [place, { documents }] of chain.value.entries()) {
    const given = input.documents[place] ?? [];
    if (given.length !== documents.length) return fail('signature_invalid', 'A signature is missing.');
    for (const [part, document] of documents.entries()) {
      const envelope = parseEnvelope(given[part]?.envelope ?? '');
      if (!envelope.ok || !(await own(envelope.value, document))) return fail('signature_invalid', 'Your signature on what takes effect does not verify.', { fix: 'Load the page and sign again.' });
    }
  }
  return ok({ root, chain: chain.value, statement: statement.value, at });
}

async function writeSignatures(parts: ConsoleParts, tx: Tx, now: string, viewer: Viewer, input: SignProposalsInput, { root, chain, statement }: Signed): Promise<Result<null>> {
  const keyid = statement.signatures[0]?.keyid;
  const key = root.owners.find((owner) => owner.key.id === keyid)?.key;
  if (!key || keyid === undefined) return fail('signature_invalid', 'The key is no owner’s.');
  // The base is compared under the lock again: what came into force since it was shown makes the proposal stale, not the signature valid.
  const newest = (await parts.authority.policies(1, tx))[0];
  const first = chain.find(({ row }) => row.target === 'policy')?.row;
  if (first && (newest?.digest !== first.base_digest || newest?.revision !== first.base_revision) && first.base_revision !== null) {
    return fail('policy_base_changed', 'Another revision came into force meanwhile.', { fix: 'Rebase it and look at it again.' });
  }
  const before = await parts.proposals.signatures(input.proposals, tx);
  const receipts = [];
  for (const [at, { row, proposed, proof, step }] of chain.entries()) {
    const found = await parts.proposals.find(row.id, tx);
    if (!found || found.proof?.proof_digest !== proof.proof_digest) return fail('conflict', 'The proposal was proved anew meanwhile.', { fix: 'Look at the new proof, and sign that.' });
    const next = nextProposalState(found.state, { kind: 'sign' });
    if (!next.ok) return next;
    if (before.some(({ proposal, person }) => proposal === row.id && person === viewer.person)) {
      // Signed already in another order: the signature that stands is as good.
      if (chain.length > 1) continue;
      return fail('already_voted', 'You have signed this proposal already.');
    }
    const receipt = await parts.sign(
      'policy_signed',
      now,
      {
        proposal: row.id, base_digest: row.base_digest, digest: row.digest, change: proof.change, proof_digest: step.proof_digest, person: viewer.person,
        key: { id: keyId(keyid), kind: key.kind }, self_signed: proposed.not_counted?.includes(viewer.person) === true, envelope: statement,
      },
      { person: viewer.person },
    );
    await parts.proposals.sign(tx, { proposal: row.id, person: viewer.person, envelope: input.statement, documents: (input.documents[at] ?? []).map(({ envelope }) => envelope), proof_digest: step.proof_digest, signed_at: now, receipt: receipt.id });
    await parts.proposals.move(tx, row.id, found.state, next.value);
    receipts.push(receipt);
  }
  await parts.ledger.append(tx, receipts);
  await parts.events.publish(tx, [...input.proposals.map((id) => ({ kind: 'proposal_changed' as const, id })), { kind: 'log_grew', id: parts.workspace }]);
  return ok(null);
}
