import { canonicalBytes } from '@/lib/shared/canonical-json';
import { digestOf, type Sha256 } from '@/lib/shared/encoding';
import type { Digest } from '@/lib/shared/ids';
import type { JsonObject } from '@/lib/shared/json';

import type { HeldAction } from './held-action';

export const basisSchema = 'countersign/basis/v1';

/**
 * What a vote covers. Votes with equal basis digests count together, whatever view they were given in; when the basis
 * of now differs, the request is stale. Order and repetition of labels mean nothing, so they do not change it.
 */
export const basisOf = (held: HeldAction): JsonObject => ({
  schema: basisSchema,
  request: held.approval,
  session: held.session,
  action: { id: held.action_id, ...held.action },
  transformed: held.transformed && held.transformed.parameters,
  impact: held.impact,
  policy_digest: held.policy.digest,
  rules: held.rules.map(({ id, action, read }) => ({ id, action, read: read.map(({ field, value }) => ({ field, value })) })),
  labels: [...new Set(held.labels)].sort(),
  identity: {
    human: held.identity.human,
    human_person: held.identity.human_person,
    service: held.identity.service,
    agent: held.identity.agent,
    registered_by: held.identity.registered_by,
    role: held.identity.role,
    scope: held.identity.scope,
    delegation: held.identity.delegation,
  },
  preconditions: held.preconditions.map(({ name, value }) => ({ name, value })),
  approvers: {
    groups: held.approvers.groups,
    all_groups: held.approvers.all_groups,
    quorum: held.approvers.quorum,
    separation: held.approvers.separation,
    ...(held.approvers.escalate ? { escalate: { to: held.approvers.escalate.to, after_s: held.approvers.escalate.after_s } } : {}),
  },
  expires_at: held.expires_at,
  salt: held.salt,
});

export const basisDigest = (held: HeldAction, sha256: Sha256): Digest => digestOf(sha256, canonicalBytes(basisOf(held)));
