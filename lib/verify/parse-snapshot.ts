import { z } from 'zod';

import { embeddingFailures, embeddingFormula } from '@/lib/context/embedding';
import { provenances, requestAssurances } from '@/lib/context/entry';
import type { Snapshot } from '@/lib/context/snapshot';
import { jsonField } from '@/lib/ledger/json-field';
import { effects } from '@/lib/mediate/catalogue';
import { countField, digestField, idField } from '@/lib/shared/document-fields';
import type { Json } from '@/lib/shared/json';

/** A stored snapshot, or undefined when it has not the shape that this version's engine reads. */
export function parseSnapshot(value: Json): Snapshot | undefined {
  const read = snapshot.safeParse(value);
  return read.success ? read.data : undefined;
}

const texts = z.array(z.string());

const asked = {
  formula: z.literal(embeddingFormula),
  model: z.string(),
  scale: z.strictObject({ far: z.int(), near: z.int() }).refine(({ far, near }) => far < near),
  before: countField(0).nullable(),
};
const embedding = z.union([
  z.strictObject({ ...asked, failure: z.enum(embeddingFailures) }),
  z.strictObject({ ...asked, version: z.string(), action: z.string(), request: z.string(), request_at: countField(0) }),
]);

const snapshot: z.ZodType<Snapshot> = z.strictObject({
  version: z.literal(1),
  session: z.strictObject({
    id: idField('session'),
    state: z.enum(['open', 'closed', 'expired']),
    opened_at: z.string(),
    assurance: z.enum(requestAssurances).nullable(),
    head: digestField,
    seq: countField(0),
  }),
  identity: z.strictObject({
    human: z.string(),
    service: z.string(),
    agent: z.string(),
    session: idField('session'),
    role: z.string(),
    scope: texts,
    delegation: z.array(idField('session')),
  }),
  identity_verified: z.boolean(),
  killed: z.boolean(),
  requests: texts.nullable(),
  intent: z.strictObject({ affirmed: texts, doubtful: texts }).nullable(),
  prior: z.strictObject({
    counts: z.record(z.string(), z.number()),
    recent: z.array(
      z.strictObject({
        action: idField('action'), tool: z.string(), operation: z.string(), effect: z.enum(effects), effects: z.array(z.enum(effects)).exactOptional(), at: z.string(), labels: texts,
        amount: z.number().exactOptional(),
      }),
    ),
    total: countField(0),
  }),
  labels: texts,
  provenance: z.array(
    z.strictObject({ path: z.string(), source: z.enum(provenances), seq: countField(0).exactOptional(), where: z.string().exactOptional() }),
  ),
  attributes: z.array(
    z.strictObject({
      subject: z.string(),
      name: z.string(),
      value: jsonField,
      unavailable: z.boolean(),
      source: z.string(),
      observed_at: z.string(),
    }),
  ),
  signals: z.array(
    z.strictObject({
      name: z.string(),
      score: z.number().nullable(),
      weight: z.number(),
      evidence: z.string(),
      missing: z.string().exactOptional(),
    }),
  ),
  embedding: embedding.exactOptional(),
  guards: z.array(
    z.strictObject({ guard: z.string(), verdict: z.enum(['redact', 'hold', 'block', 'failed']), path: z.string(), detail: z.string() }),
  ),
  points: z.array(
    z.strictObject({ point: z.string(), answer: z.enum(['permit', 'deny', 'indeterminate', 'fault']), cause: z.string(), at: z.string().exactOptional() }),
  ),
  grants: texts,
});
