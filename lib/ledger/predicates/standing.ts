import { z } from 'zod';

import { actionReference, actor, common, digest, envelope, id, instant, keyId, keyKind, name } from './fields';

/** Uses and hours of a standing approval at most. */
export const mostStandingUses = 20;
export const mostStandingHours = 24;

/**
 * A signed vote for a few more of exactly the same. `envelope` is the DSSE over the standing approval (lib/approvals/standing.ts);
 * the other fields repeat it.
 */
export const standingApprovalGranted = z.strictObject({
  ...common,
  standing: id('standing'),
  /** The request at which it was given. */
  approval: id('approval'),
  person: id('person'),
  key: z.strictObject({ id: keyId, kind: keyKind }),
  agent: name,
  human: name,
  tool: name,
  operation: name,
  /** The one rule that it satisfies. */
  rule: name,
  /** SHA-256 of the canonical JSON of the arguments that are fixed, sensitive ones sealed. */
  arguments_digest: digest,
  policy_digest: digest,
  uses: z.int().min(1).max(mostStandingUses),
  ends_at: instant,
  envelope,
});

/** It stood for a person's vote on one request. */
export const standingApprovalUsed = z.strictObject({
  ...common,
  standing: id('standing'),
  /** The request's: an export of one session holds it, or its quorum would look unmet. */
  session: id('session'),
  approval: id('approval'),
  action: actionReference,
  person: id('person'),
  /** What the request asks and what is fixed in it, to be compared with what was granted. */
  rule: name,
  arguments_digest: digest,
  /** Which use it is, from 1. */
  use: z.int().min(1).max(mostStandingUses),
});

export const standingApprovalRevoked = z.strictObject({
  ...common,
  standing: id('standing'),
  cause: z.enum(['revoked', 'policy_changed', 'labels_changed', 'identity_changed', 'person_removed']),
  by: actor,
});
