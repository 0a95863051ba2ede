import { z } from 'zod';

import { actionReference, actor, common, contextAfter, digest, envelope, id, instant, keyId, keyKind, name, sentence } from './fields';
import { signedStatement } from './labels';
import { missingField, waitsFor } from './decisions';

/**
 * A STEP_UP is held. `basis` is the canonical JSON that votes cover, `basis_digest` the SHA-256 of exactly that text. The
 * text is left out when it holds values that must stay apart from the log; then it follows from the held content.
 */
export const approvalRequested = z.strictObject({
  ...common,
  approval: id('approval'),
  session: id('session'),
  action: actionReference,
  transformed_digest: digest.exactOptional(),
  basis: z.string().min(2).max(131_072).exactOptional(),
  basis_digest: digest,
  /** Content digest of all that was known about the action when it was held: the approver's screen is drawn from it again. */
  held_digest: digest.exactOptional(),
  approvers: z.array(name).min(1).max(50),
  quorum: z.int().min(1).max(100),
  separation: z.boolean(),
  /** Persons that separation of duties keeps from voting: the session's human, who registered the agent. */
  excluded: z.array(id('person')).max(50),
  expires_at: instant,
  supersedes: id('approval').exactOptional(),
});

/**
 * One person's vote. `statement` is the exact text that the person's key signed and `envelope` carries that signature;
 * a denial needs only a session, so it may have no envelope.
 */
export const approvalVoted = z.strictObject({
  ...common,
  approval: id('approval'),
  action: actionReference,
  person: id('person'),
  verdict: z.enum(['approve', 'deny']),
  basis_digest: digest,
  view_digest: digest.exactOptional(),
  reason: sentence.exactOptional(),
  statement: z.string().min(2).max(131_072),
  envelope: envelope.exactOptional(),
  key: z.strictObject({ id: keyId, kind: keyKind }).exactOptional(),
});

export const approvalResolved = z.strictObject({
  ...common,
  approval: id('approval'),
  action: actionReference,
  state: z.enum(['approved', 'denied', 'expired', 'withdrawn', 'superseded', 'stale']),
  /** Receipts of the votes, and of uses of standing approvals, that count, in log order. */
  votes: z.array(id('receipt')).max(100),
  by: actor,
  superseded_by: id('approval').exactOptional(),
  /** The deferral that took its place, when somebody asked back. */
  deferral: id('deferral').exactOptional(),
});

/** Nobody decided in time, so further groups are asked too. Those asked before stay asked. */
export const approvalEscalated = z.strictObject({
  ...common,
  approval: id('approval'),
  action: actionReference,
  approvers: z.array(name).min(1).max(50),
  by: actor,
});

/** An approver moves a request's end. `envelope` is the DSSE over the extension that their key signed (lib/approvals/extension.ts). */
export const approvalExtended = z.strictObject({
  ...common,
  approval: id('approval'),
  action: actionReference,
  person: id('person'),
  expires_at: instant,
  envelope,
});

/**
 * An approver signed other parameters for a held action. `edited` is the action that it goes on as, once the plane has decided that from
 * the start; what the person typed is a step of the session. The request is not approved any more.
 */
export const approvalEdited = z.strictObject({
  ...common,
  approval: id('approval'),
  session: id('session'),
  action: actionReference,
  edited: id('action'),
  person: id('person'),
  /** Content digest of the parameters that were signed. */
  parameters_digest: digest,
  statement: signedStatement,
  ...contextAfter,
});

export const deferralOpened = z.strictObject({
  ...common,
  deferral: id('deferral'),
  session: id('session'),
  action: actionReference,
  missing: z.array(missingField).max(100),
  waits_for: waitsFor.exactOptional(),
  /** Rules that conflict, when that is why. */
  conflict: z.array(name).max(100),
  /** What an approver asked back; the text is content. The answer is one of the missing fields. */
  question: z.strictObject({ by: id('person'), approval: id('approval'), digest, asked: z.int().min(1).max(3) }).exactOptional(),
  /** The request to the people who decide, when it waits for them; the deferral ends with it. */
  approval: id('approval').exactOptional(),
  expires_at: instant,
});

/** An information point was asked for a field, and what came of it. */
export const deferralAttempted = z.strictObject({
  ...common,
  deferral: id('deferral'),
  action: actionReference,
  subject: z.string().min(1).max(2048),
  attribute: name,
  /** As the policy names it: `ip:records`. */
  source: name,
  attempt: z.int().min(1).max(3),
  outcome: z.enum(['supplied', 'unavailable', 'failed']),
  /** Why it failed. */
  detail: sentence.exactOptional(),
});

export const deferralResolved = z.strictObject({
  ...common,
  deferral: id('deferral'),
  action: actionReference,
  outcome: z.enum(['decided', 'expired', 'withdrawn', 'superseded']),
  by: actor,
  /** The receipt of the decision that took its place, when it was decided. */
  decided: id('receipt').exactOptional(),
});
