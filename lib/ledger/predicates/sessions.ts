import { z } from 'zod';

import { actor, common, contextAfter, digest, id, instant, name } from './fields';
import { signedStatement } from './labels';

/**
 * A user's task begins. `request_digest` is the content digest of the original request, when one was recorded. A child names its
 * parent's context at opening, from which its own goes on; `task_digest` is what the agent that opened it wants of it: no request.
 */
export const sessionOpened = z.strictObject({
  ...common,
  session: id('session'),
  human: name,
  service: name,
  agent: name,
  role: name,
  scope: z.array(name).max(200),
  delegation: z.array(id('session')).max(32),
  parent: z.strictObject({ session: id('session'), ...contextAfter }).exactOptional(),
  request_digest: digest.exactOptional(),
  task_digest: digest.exactOptional(),
  request_assurance: z.enum(['verified', 'orchestrator', 'same_host']).nullable(),
  expires_at: instant,
  ...contextAfter,
});

export const sessionClosed = z.strictObject({
  ...common,
  session: id('session'),
  cause: z.enum(['closed', 'expired', 'idle', 'kill_switch', 'credential_revoked', 'person_suspended', 'parent_ended']),
  by: actor,
  ...contextAfter,
});

/** In the parent: a child was opened, or has ended. */
export const delegationRecorded = z.strictObject({
  ...common,
  session: id('session'),
  child: id('session'),
  event: z.enum(['opened', 'ended']),
  by: actor,
  ...contextAfter,
});

/** A later message of the user, recorded by the orchestrator. The text is content; only its digest is here. */
export const messageRecorded = z.strictObject({
  ...common,
  session: id('session'),
  message_digest: digest,
  by: actor,
  ...contextAfter,
});

/** One attribute as an information point (or a person) gave it; the value is content. */
export const attribute = z.strictObject({
  subject: z.string().min(1).max(2048),
  name,
  source: name,
  observed_at: instant,
  /** Null: the source settled that there is none (`unavailable`). */
  value_digest: digest.nullable(),
});

export const attributesSupplied = z.strictObject({
  ...common,
  session: id('session'),
  attributes: z.array(attribute).min(1).max(100),
  by: actor,
  /** A person's: of one attribute, for the source that the policy names them by. */
  statement: signedStatement.exactOptional(),
  ...contextAfter,
});
