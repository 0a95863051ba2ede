import { z } from 'zod';

import { publicKeyField } from '@/lib/shared/document-fields';

import { actor, common, count, digest, envelope, id, instant, keyId, name, sentence } from './fields';

/** Key ids whose signatures on the document were checked when it was taken into force. */
const signers = z.array(keyId).min(1).max(100);

/** A trust root comes into force at this position. `digest` is the SHA-256 of the document's payload bytes. */
export const trustRootChanged = z.strictObject({
  ...common,
  version: count,
  digest,
  previous_digest: digest.nullable(),
  signers,
});

export const rosterChanged = z.strictObject({
  ...common,
  version: count,
  digest,
  previous_digest: digest.nullable(),
  signers,
});

/** A policy comes into force at this position. `digest` is the SHA-256 of the policy's exact bytes. */
export const policyApplied = z.strictObject({
  ...common,
  revision: count,
  digest,
  base_digest: digest.nullable(),
  signers,
  change: z.enum(['first', 'tighten', 'loosen', 'mixed', 'moved_authority', 'not_proved', 'rollback']),
  self_signed: z.boolean(),
  origin: z.enum(['set_up', 'console', 'file', 'proposal', 'rollback']),
  by: actor,
  /** The proposal that it was, and the proof that the signers saw. */
  proposal: id('proposal').exactOptional(),
  proof_digest: digest.exactOptional(),
});

export const keyEnrolled = z.strictObject({
  ...common,
  person: id('person'),
  key: publicKeyField,
  /** Version of the roster that first lists the key. */
  roster_version: count,
});

/** A person's key no longer counts. */
export const keyRemoved = z.strictObject({
  ...common,
  person: id('person'),
  key: keyId,
  /** `not_stated`: an owner took it out of the roster, which says no reason. `revoked`: its person did, at once and without a roster. */
  cause: z.enum(['replaced', 'lost', 'compromised', 'person_removed', 'not_stated', 'revoked']),
  /** Version of the first roster without the key; left out when it was revoked. */
  roster_version: count.exactOptional(),
  by: actor,
});

export const serviceStarted = z.strictObject({
  ...common,
  role: z.enum(['console', 'plane', 'command']),
  key: keyId,
  product_version: name,
});

/**
 * The kill switch. Throwing (`on`) needs a session with the role; releasing an owner's signature: `envelope` is the DSSE over
 * the release (lib/authority/owner-statements.ts).
 */
export const switchThrown = z.strictObject({
  ...common,
  scope: z.enum(['all', 'agent', 'tool']),
  target: name.exactOptional(),
  on: z.boolean(),
  reason: sentence,
  by: actor,
  epoch: count,
  envelope: envelope.exactOptional(),
});

/**
 * A credential, or (`suspended`, `restored` with the kind agent) the agent that it is for. Restoring an agent needs an owner's signature:
 * `envelope` is the DSSE over the restoration (lib/authority/owner-statements.ts).
 */
export const credentialAdministered = z.strictObject({
  ...common,
  credential: id('credential'),
  kind: z.enum(['agent', 'orchestrator', 'enforcement_point', 'information_point']),
  subject: name,
  change: z.enum(['created', 'rotated', 'suspended', 'restored', 'revoked', 'expired']),
  by: actor,
  /** SHA-256 of the token: which secret it is, not the secret. */
  token_digest: digest.exactOptional(),
  expires_at: instant.exactOptional(),
  /** Of a credential that vouches: the roster that lists it so. */
  roster_version: count.exactOptional(),
  /** Of a restored agent. */
  reason: sentence.exactOptional(),
  envelope: envelope.exactOptional(),
});

export const userAdministered = z.strictObject({
  ...common,
  person: id('person'),
  change: z.enum([
    'invited', 'invitation_revoked', 'joined', 'suspended', 'restored', 'roles_changed', 'password_changed', 'signed_in', 'signed_out', 'removed',
  ]),
  by: actor,
  /** The roster that says so, where it is the roster that changed. */
  roster_version: count.exactOptional(),
});

const served = z.strictObject({
  root_version: count,
  roster_version: count,
  policy: z.strictObject({ revision: count, digest }).nullable(),
  log: z.strictObject({ size: count, root: digest }),
});

/** After a restore an owner accepts a database that is behind what was served. `envelope`: DSSE over the acceptance. */
export const rollbackAccepted = z.strictObject({ ...common, served, found: served, person: id('person'), reason: sentence, envelope });

/** The recovery key signed a next root (`envelope`), with other owner keys. It can come into force a day after this, unless an owner cancels it. */
export const recoveryAnnounced = z.strictObject({ ...common, version: count, digest, previous_digest: digest, by: actor, envelope });

/** An owner ends the recovery that `announced` announced. `digest` never comes into force and is never announced again. An owner's session is enough: it only tightens. */
export const recoveryCancelled = z.strictObject({ ...common, digest, announced: id('receipt'), by: actor });
