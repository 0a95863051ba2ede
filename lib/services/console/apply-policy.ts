import { verifyNextPolicyRevision } from '@/lib/authority/verify-policy-revision';
import type { AppliedPolicy, ApplyPolicyInput } from '@/lib/contracts/console/policies';
import type { Actor } from '@/lib/ledger/predicates/fields';
import { parseEnvelope } from '@/lib/shared/dsse';
import { digestOf, utf8 } from '@/lib/shared/encoding';
import { fail, ok, type Result } from '@/lib/shared/result';

import type { ConsoleParts } from './console-parts';
import { inForceReference, unproved } from './policy-base';
import { raiseEpoch } from './raise-epoch';
import { authorityToBuildOn } from './roster-change-facts';

/**
 * Takes a signed text into force as the next revision. Verified and compiled before it is stored, and by every process
 * again before it is used. Failures: the policy's codes (`policy_signature_missing` … `policy_base_changed`, `policy_invalid`).
 */
export async function applyPolicy(parts: ConsoleParts, by: Actor, input: ApplyPolicyInput): Promise<Result<AppliedPolicy>> {
  const { cryptography } = parts;
  const authority = await authorityToBuildOn(parts);
  if (!authority.ok) return authority;
  const { root } = authority.value;
  const signature = parseEnvelope(input.signature);
  const statement = parseEnvelope(input.statement);
  const bytes = utf8(input.text);
  const digest = digestOf(cryptography.sha256, bytes);
  const base = inForceReference(await parts.inForce.current());
  const stored = { bytes, digest, signature: signature.ok ? signature.value : null, apply: statement.ok ? statement.value : null };
  const verified = await verifyNextPolicyRevision(stored, root, unproved, base, cryptography);
  if (!verified.ok) return verified;
  const compiled = parts.compile(input.text, input.format);
  if (!compiled.ok) return compiled;
  const { revision } = verified.value.statement;
  const signed = verified.value.signers;
  const signers = root.owners.filter(({ person }) => signed.includes(person)).map(({ key }) => key.id).filter((id) => stored.signature?.signatures.some(({ keyid }) => keyid === id));

  const done = await parts.transactor.withHead(async (tx, { now }): Promise<Result<AppliedPolicy>> => {
    // Only rows that verify are in force, but a row of any kind takes its number: the next one may not be written over it.
    const newest = (await parts.authority.policies(1, tx))[0]?.revision ?? 0;
    if (newest >= revision) return fail('policy_base_changed', `Revision ${newest} exists already.`, { fix: 'Load the page and sign again.' });
    await parts.authority.addPolicy(tx, {
      revision, digest, text: input.text, format: input.format, signature: input.signature, statement: input.statement, applied_by: by.id, applied_at: now,
    });
    const receipt = await parts.sign(
      'policy_applied',
      now,
      {
        revision, digest, base_digest: base?.digest ?? null, signers, change: base === null ? 'first' : unproved,
        self_signed: by.kind === 'person' && signed.some((person) => person === by.id), origin: input.origin, by,
      },
      { revision, ...(by.kind === 'person' ? { person: by.id } : {}) },
    );
    await parts.ledger.append(tx, [receipt]);
    await raiseEpoch(parts, tx);
    return ok({ revision, digest, receipt: receipt.id });
  });
  if (done.ok) await parts.inForce.refresh();
  return done;
}
