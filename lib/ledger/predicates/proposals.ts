import { z } from 'zod';

import { countField } from '@/lib/shared/document-fields';

import { actor, common, count, digest, envelope, id, keyId, keyKind, name, sentence } from './fields';

/** What a change does to what agents can reach; whatever is not proved to tighten counts as loosening. */
const changeClass = z.enum(['tighten', 'loosen', 'mixed', 'moved_authority', 'not_proved']);

const revision = z.strictObject({ revision: countField(1), digest });

/**
 * Somebody asks for a change; nothing changes by it. `digest` is the SHA-256 of the exact bytes asked for: a policy's text, a
 * grant's document, or the proposal's file in a guard directory. A person's proposal carries their signature (`envelope`); an agent's
 * is signed by this receipt.
 */
export const policyProposed = z.strictObject({
  ...common,
  proposal: id('proposal'),
  target: z.enum(['policy', 'grant', 'allowlist']),
  /** What it was written on; null where there was nothing. */
  base: revision.nullable(),
  digest,
  /** Content digests of the text and of the requester's reason, which nobody vouches for. */
  text_digest: digest,
  reason_digest: digest.exactOptional(),
  origin: z.enum(['console', 'agent', 'suggestion', 'rebase', 'file', 'guard_directory']),
  rebased_from: id('proposal').exactOptional(),
  session: id('session').exactOptional(),
  by: actor,
  /**
   * Whose signatures do not count where two or more are asked for: a person who proposes; of an agent's proposal the human it acts for and
   * whoever made its credentials; of a rebase also those of what it was made from.
   */
  not_counted: z.array(id('person')).max(20).exactOptional(),
  envelope: envelope.exactOptional(),
});

/** What was found out about a proposal before anybody signs. The proof itself is content; signers sign its digest. */
export const policyProved = z.strictObject({
  ...common,
  proposal: id('proposal'),
  base_digest: digest.nullable(),
  digest,
  change: changeClass,
  proof_digest: digest,
  /** How the answer was found. */
  method: name,
  tests: z.strictObject({ passed: count, failed: count }),
  lint: z.strictObject({ errors: count, warnings: count }),
  replayed: z.strictObject({ receipts: count, newly_allowed: count, newly_stopped: count }).exactOptional(),
  /** What could not be proved. */
  open: z.array(sentence).max(100),
  /** False: red tests or lint, so it cannot be applied as it is. */
  applicable: z.boolean(),
});

/** An owner signs a proposal. `envelope` is the DSSE over base, new digest, class and proof of it, or of a chain of proposals in order. */
export const policySigned = z.strictObject({
  ...common,
  proposal: id('proposal'),
  base_digest: digest.nullable(),
  digest,
  change: changeClass,
  proof_digest: digest,
  person: id('person'),
  key: z.strictObject({ id: keyId, kind: keyKind }),
  /** The signer had a hand in proposing it (`not_counted` of the proposal; without it, the person who proposed). */
  self_signed: z.boolean(),
  envelope,
});

export const policyRejected = z.strictObject({
  ...common,
  proposal: id('proposal'),
  digest,
  outcome: z.enum(['rejected', 'withdrawn', 'stale']),
  reason: sentence.exactOptional(),
  replaced_by: id('proposal').exactOptional(),
  by: actor,
});

/** Beside the `policy_applied` of the new revision: which old text it brings back, and what it takes away. */
export const policyRolledBack = z.strictObject({
  ...common,
  revision: countField(2),
  digest,
  restores: revision,
  replaces: revision,
  reason: sentence.exactOptional(),
  by: actor,
});

/**
 * A permission was added to the allowlist of a guard directory, in its files, before this receipt. `digest` is the SHA-256 of the proposal's
 * file; `envelope` the DSSE over the application that owners signed (lib/authority/owner-statements.ts), which the directory's own
 * receipt holds too.
 */
export const allowlistApplied = z.strictObject({
  ...common,
  proposal: id('proposal'),
  digest,
  directory: name,
  permission: name,
  /** The allowlist's, as it is now. */
  revision: countField(2),
  /** SHA-256 of the allowlist before and after. */
  base_digest: digest,
  allowlist_digest: digest,
  change: changeClass,
  proof_digest: digest,
  signers: z.array(keyId).min(1).max(100),
  self_signed: z.boolean(),
  envelope,
  by: actor,
});
