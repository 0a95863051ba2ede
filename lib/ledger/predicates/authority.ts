import { z } from 'zod';

import { publicKeyField } from '@/lib/shared/document-fields';

import { actor, common, count, digest, id, keyId, name, sentence } from './fields';

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
});

export const keyEnrolled = z.strictObject({
  ...common,
  person: id('person'),
  key: publicKeyField,
  /** Version of the roster that first lists the key. */
  roster_version: count,
});

export const serviceStarted = z.strictObject({
  ...common,
  role: z.enum(['console', 'plane', 'command']),
  key: keyId,
  product_version: name,
});

export const switchThrown = z.strictObject({
  ...common,
  scope: z.enum(['all', 'agent', 'tool']),
  target: name.exactOptional(),
  on: z.boolean(),
  reason: sentence,
  by: actor,
  epoch: count,
});

export const credentialAdministered = z.strictObject({
  ...common,
  credential: id('credential'),
  kind: z.enum(['agent', 'orchestrator', 'enforcement_point', 'information_point']),
  subject: name,
  change: z.enum(['created', 'rotated', 'revoked', 'expired']),
  by: actor,
});

export const userAdministered = z.strictObject({
  ...common,
  person: id('person'),
  change: z.enum(['invited', 'joined', 'suspended', 'restored', 'password_changed', 'signed_in', 'removed']),
  by: actor,
});
