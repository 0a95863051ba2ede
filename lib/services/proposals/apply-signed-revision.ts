import type { ChangeClass, VerifiedRevision } from '@/lib/authority/policy-revision';
import { verifyNextPolicyRevision } from '@/lib/authority/verify-policy-revision';
import type { AppliedPolicy, ApplyPolicyInput } from '@/lib/contracts/console/policies';
import type { Actor } from '@/lib/ledger/predicates/fields';
import type { SignedReceipt } from '@/lib/ports/ledger-store';
import type { Tx } from '@/lib/ports/transaction';
import { inForceReference, refuseUnproposed, unproved } from '@/lib/services/console/policy-base';
import { raiseEpoch } from '@/lib/services/console/raise-epoch';
import { authorityToBuildOn } from '@/lib/services/console/roster-change-facts';
import { parseEnvelope } from '@/lib/shared/dsse';
import { digestOf, utf8 } from '@/lib/shared/encoding';
import type { Digest, ProposalId } from '@/lib/shared/ids';
import { fail, ok, type Result } from '@/lib/shared/result';

import { outdateProposals, setBackRows } from './outdate-proposals';
import type { ProposalParts } from './proposal-parts';

export type SignedRevision = Pick<ApplyPolicyInput, 'text' | 'format' | 'signature' | 'statement'> & { readonly origin: 'console' | 'file' | 'rollback' | 'proposal' };

/** `beside`: receipts that belong to it, made under the lock, such as that of a roll-back. */
export type AboutRevision = {
  readonly change?: ChangeClass;
  readonly proposal?: { readonly id: ProposalId; readonly proof_digest: Digest; readonly self_signed: boolean };
  readonly beside?: (tx: Tx, at: string) => Promise<readonly SignedReceipt[]>;
};

/**
 * Takes a signed text into force as the next revision, whether it was proposed, comes from a file or brings an old one back. Verified
 * and compiled before it is stored, and by every process again before it is used. One that was not proposed needs the signatures of the
 * class that is found out here. What was written on the revision before is stale from then on. Failures: the policy's codes (`policy_signature_missing` … `policy_base_changed`, `policy_invalid`), `already_resolved`,
 * and `cool_off_runs` for a text without a proposal where the root asks for a cool-off.
 */
export async function applySignedRevision(parts: ProposalParts, by: Actor, input: SignedRevision, about: AboutRevision = {}): Promise<Result<AppliedPolicy>> {
  const { cryptography } = parts;
  const authority = await authorityToBuildOn(parts);
  if (!authority.ok) return authority;
  const { root } = authority.value;
  const signature = parseEnvelope(input.signature);
  const statement = parseEnvelope(input.statement);
  const bytes = utf8(input.text);
  const digest = digestOf(cryptography.sha256, bytes);
  const inForce = await parts.inForce.current();
  const base = inForceReference(inForce);
  const stored = { bytes, digest, signature: signature.ok ? signature.value : null, apply: statement.ok ? statement.value : null };
  const { proposal } = about;
  const waits = proposal ? ok(null) : refuseUnproposed(root, base, digest);
  if (!waits.ok) return waits;
  const verified = await verifiedAs(about.change, (change) => verifyNextPolicyRevision(stored, root, change, base, cryptography), async () => (inForce.policy ? await parts.inForce.changeOf(inForce.policy, input) : unproved));
  if (!verified.ok) return verified;
  const compiled = parts.compile(input.text, input.format);
  if (!compiled.ok) return compiled;
  const { change, signers: signed, statement: { revision } } = verified.value;
  const signers = root.owners.filter(({ person }) => signed.includes(person)).map(({ key }) => key.id).filter((id) => stored.signature?.signatures.some(({ keyid }) => keyid === id));
  const setBack = await setBackRows(parts, root);

  const done = await parts.transactor.withHead(async (tx, { now }): Promise<Result<AppliedPolicy>> => {
    // Only rows that verify are in force, but a row of any kind takes its number: the next one may not be written over it.
    const newest = (await parts.authority.policies(1, tx))[0]?.revision ?? 0;
    if (newest >= revision) return fail('policy_base_changed', `Revision ${newest} exists already.`, { fix: 'Load the page and sign again.' });
    const receipt = await parts.sign(
      'policy_applied',
      now,
      {
        revision, digest, base_digest: base?.digest ?? null, signers, change: base === null && !proposal ? 'first' : change,
        self_signed: proposal ? proposal.self_signed : by.kind === 'person' && signed.some((person) => person === by.id), origin: input.origin, by,
        ...(proposal ? { proposal: proposal.id, proof_digest: proposal.proof_digest } : {}),
      },
      { revision, ...(by.kind === 'person' ? { person: by.id } : {}) },
    );
    if (proposal) {
      const end = { ended_at: now, ended_by: by.id, ended_reason: null, ended_receipt: receipt.id, revision, replaced_by: null };
      // Two processes may come here with the last signature: one of them finds it applied.
      if (!(await parts.proposals.move(tx, proposal.id, 'signed', 'applied', end))) return fail('already_resolved', 'Somebody else has ended the proposal.');
    }
    await parts.authority.addPolicy(tx, {
      revision, digest, text: input.text, format: input.format, signature: input.signature, statement: input.statement, applied_by: by.id, applied_at: now,
    });
    const beside = about.beside ? await about.beside(tx, now) : [];
    await parts.ledger.append(tx, [receipt, ...beside, ...(await outdateProposals(parts, tx, now, { revision, digest }, by, setBack))]);
    await raiseEpoch(parts, tx);
    return ok({ revision, digest, receipt: receipt.id });
  });
  if (done.ok) await parts.inForce.refresh();
  return done;
}

/** With the signatures of loosening nothing has to be found out, and with fewer than tightening asks for there is nothing to find out. */
async function verifiedAs(
  proved: ChangeClass | undefined,
  verify: (change: ChangeClass) => Promise<Result<VerifiedRevision>>,
  judge: () => Promise<ChangeClass>,
): Promise<Result<VerifiedRevision & { readonly change: ChangeClass }>> {
  const change = proved ?? unproved;
  const anyhow = await verify(change);
  if (anyhow.ok) return ok({ ...anyhow.value, change });
  const least = proved === undefined ? await verify('tighten') : anyhow;
  return least.ok && (await judge()) === 'tighten' ? ok({ ...least.value, change: 'tighten' }) : anyhow;
}
