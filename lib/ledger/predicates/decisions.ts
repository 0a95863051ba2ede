import { z } from 'zod';

import { actionReference, code, common, count, decision, digest, id, impact, instant, json, name, sentence, thousandths } from './fields';
import { attribute } from './sessions';

export const identity = z.strictObject({
  human: name,
  service: name,
  agent: name,
  session: id('session'),
  role: name,
  scope: z.array(name).max(200),
  delegation: z.array(id('session')).max(32),
});

export const obligation = z.strictObject({ kind: name, value: json });

/** What a permit licenses: exactly one action, once, until then. `context_*` is the session's chain after issuing it. */
export const permitTerms = z.strictObject({
  id: id('permit'),
  expires_at: instant,
  /** Content digest of the action to execute: a′ when policy changed it, else a. */
  action_digest: digest,
  obligations: z.array(obligation).max(50),
  /** Grants of which redeeming it uses up one count each. */
  grants: z.array(id('grant')).min(1).max(10).exactOptional(),
  context_head: digest,
  context_seq: count,
  epoch: count,
});

export const missingField = z.strictObject({
  field: name,
  subject: z.string().max(2048).exactOptional(),
  attribute: name.exactOptional(),
  suppliers: z.array(name).max(50),
});

/** Actions that have to end first. */
export const waitsFor = z.array(id('action')).min(1).max(100);

/** A rule that determined the decision, with the values its predicates read; values of sensitive leaves stand as `{"$sealed": …}`. */
const determiningRule = z.strictObject({
  id: name,
  read: z.array(z.strictObject({ field: name, value: json })).max(200),
});

/**
 * A decision with all its reasons. The permit of an immediate ALLOW or MODIFY *is* this receipt: one signature.
 * `context_*` is the chain's head that the decision saw; `permit.context_*` the head after the permit entered it.
 */
export const actionDecided = z.strictObject({
  ...common,
  identity,
  tool: name,
  operation: name,
  action: actionReference,
  /** Content digest of a′, when policy would let something else through. */
  transformed_digest: digest.exactOptional(),
  /** Why it was decided now: first proposed, or again. */
  cause: z.enum(['proposed', 'edited', 'supplied', 'approved', 'redeemed', 'requeued', 'timed_out']),
  decision,
  state: z.enum(['denied', 'held', 'deferred', 'permitted']),
  classification: name.exactOptional(),
  code,
  reason: sentence,
  impact,
  determining: z.array(determiningRule).max(100),
  unknown: z.array(z.strictObject({ id: name, missing: z.array(name).max(50) })).max(100),
  signals: z
    .array(z.strictObject({ name, score: thousandths.nullable(), weight: count, evidence: sentence.exactOptional() }))
    .max(50),
  evaluability: thousandths.nullable(),
  alignment: thousandths.nullable(),
  /** Null only when no validly signed policy was in force, and then the decision is a DENY. */
  policy: z.strictObject({ revision: count, digest }).nullable(),
  tables: z.array(z.strictObject({ name, version: count, digest })).max(50),
  engine_version: name,
  /** Content digest of the snapshot; null when the engine was not asked (no policy, kill switch, bound reached). */
  snapshot_digest: digest.nullable(),
  attributes: z.array(attribute).max(200),
  context_head: digest,
  context_seq: count,
  epoch: count,
  /** The held action that a person changed into this one (cause `edited`), and the request that it came from. */
  edited_from: z.strictObject({ action: actionReference, approval: id('approval'), by: id('person') }).exactOptional(),
  /** The receipt of the decision that this one replaces. */
  replaces: id('receipt').exactOptional(),
  permit: permitTerms.exactOptional(),
  approval: z
    .strictObject({ id: id('approval'), basis_digest: digest, expires_at: instant, quorum: z.int().min(1).max(100) })
    .exactOptional(),
  deferral: z
    .strictObject({ id: id('deferral'), missing: z.array(missingField).max(100), waits_for: waitsFor.exactOptional(), expires_at: instant })
    .exactOptional(),
});
