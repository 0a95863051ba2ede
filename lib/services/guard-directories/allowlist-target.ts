import { statementPayload, statementTypes } from '@/lib/authority/owner-statements';
import { neededPolicySigners } from '@/lib/authority/verify-policy-revision';
import { nextProposalState } from '@/lib/authority/proposal';
import { readGuardProposal } from '@/lib/authority/guard-directory/guard-proposal';
import type { GuardDirectories } from '@/lib/ports/guard-directories';
import type { Envelope } from '@/lib/shared/dsse';
import { utf8 } from '@/lib/shared/encoding';
import { keyId } from '@/lib/shared/ids';
import { fail, ok, type Result } from '@/lib/shared/result';

import type { ProposalParts } from '../proposals/proposal-parts';
import type { ProposalTarget, SignedProposal } from '../proposals/proposal-target';
import { directoryOf, guardProposalOf } from './guard-row';

/**
 * One permission more in a guard directory. What owners sign names the proposal's file, the allowlist that it was written on and the
 * directory: it is good for nothing else, now or later.
 */
export const allowlistTarget: ProposalTarget = {
  check: ({ cryptography }, { text }) => readGuardProposal(utf8(text), cryptography.sha256),
  base: () => null,
  neededSigners: neededPolicySigners,
  documents: ({ workspace, cryptography }, { row, proof }) => {
    const proposal = guardProposalOf(row, cryptography.sha256);
    if (!proposal.ok) return [];
    const { base, permission, id } = proposal.value;
    const terms = { proposal: row.id, directory: directoryOf(row), guard_proposal: id, base, permission, proof_digest: proof.proof_digest };
    // The time of the proof, so that owners who sign days apart sign the same bytes.
    return [{ payload_type: statementTypes.guard_application, bytes: statementPayload('guard_application', workspace, terms, proof.at) }];
  },
  apply: async (parts, by, signed) => {
    const [envelope] = signed.envelopes;
    if (!envelope) return fail('policy_signature_missing', 'The change of the allowlist has no signature.');
    const { guards } = parts;
    if (!guards) return fail('unavailable', 'This process has no guard directories.', { fix: 'Apply it in the console.' });
    const { row } = signed;
    const at = (await parts.authority.position()).now;
    // The files first: a receipt must not say that something is allowed which is not. The signatures are in the log already, so a process
    // that dies here leaves a directory that is ahead of the log, by exactly what owners signed; whoever comes next asks the directory
    // again, gets the same answer, and writes it down (`followGuardDirectory`).
    const applied = guards.apply(directoryOf(row), row.digest, at, { workspace: parts.workspace, proposal: row.id, envelope });
    return applied.ok ? await writeDown(parts, by, signed, envelope, applied.value) : applied;
  },
};

type Applied = Extract<ReturnType<GuardDirectories['apply']>, { readonly ok: true }>['value'];

async function writeDown(parts: ProposalParts, by: Parameters<ProposalTarget['apply']>[1], { row, proposed, proof, signers }: SignedProposal, envelope: Envelope, { before, after, revision }: Applied): Promise<Result<{ readonly revision: number }>> {
  const proposal = guardProposalOf(row, parts.cryptography.sha256);
  if (!proposal.ok) return proposal;
  return await parts.transactor.withHead(async (tx, { now }): Promise<Result<{ readonly revision: number }>> => {
    const found = await parts.proposals.find(row.id, tx);
    const next = found && nextProposalState(found.state, { kind: 'apply', counted: signers.length, needed: 1 });
    if (!next?.ok) return next ?? fail('not_found', 'There is no such proposal.');
    const receipt = await parts.sign(
      'allowlist_applied',
      now,
      {
        proposal: row.id, digest: row.digest, directory: directoryOf(row), permission: proposal.value.permission, revision, base_digest: before, allowlist_digest: after,
        change: proof.change, proof_digest: proof.proof_digest, signers: envelope.signatures.map(({ keyid }) => keyId(keyid)),
        self_signed: signers.some((person) => proposed.not_counted?.includes(person) === true), envelope, by,
      },
      by.kind === 'person' ? { person: by.id } : {},
    );
    const end = { ended_at: now, ended_by: by.id, ended_reason: null, ended_receipt: receipt.id, revision, replaced_by: null };
    if (!(await parts.proposals.move(tx, row.id, found?.state ?? 'signed', next.value, end))) return fail('already_resolved', 'The proposal has moved on.');
    await parts.ledger.append(tx, [receipt]);
    await parts.events.publish(tx, [{ kind: 'proposal_changed', id: row.id }, { kind: 'log_grew', id: parts.workspace }]);
    return ok({ revision });
  });
}
