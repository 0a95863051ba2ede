import { z } from 'zod';

import { countField, digestField, idField, saltField, timestampField } from '@/lib/shared/document-fields';
import { impacts } from '@/lib/shared/impact';
import { isJsonObject, type Json, type JsonObject } from '@/lib/shared/json';
import { fail, ok, type Issue, type Result } from '@/lib/shared/result';

import { mostDifferences } from './differences';
import { argumentRoles, differenceKinds, heldEffects, sources, type HeldAction } from './held-action';

/** A held action as read back from where it was stored. What does not fit exactly is refused: nobody signs a guess. */
export function parseHeldAction(value: unknown): Result<HeldAction> {
  const parsed = heldActionSchema.safeParse(value);
  if (parsed.success) return ok(parsed.data);
  const issues = parsed.error.issues.map((issue): Issue => ({ path: issue.path.join('.'), message: issue.message }));
  return fail('invalid_input', 'The held action cannot be read.', { issues });
}

// Taken over as they are. A schema that copies objects leaves out a key named `__proto__`, and an agent could hide an
// argument from its approver under that name.
const json = z.custom<Json>((value) => isJson(value), { error: 'Expected a JSON value.' });
const parameters = z.custom<JsonObject>((value) => isJson(value) && isJsonObject(value), { error: 'Expected a JSON object.' });
const thousandths = z.int().min(0).max(1000).nullable();
const text = z.string();
const texts = z.array(text);
const levels = ['high', 'medium', 'low', 'unknown'] as const;

const rule = z.strictObject({
  id: text,
  action: z.enum(['ALLOW', 'MODIFY', 'STEP_UP', 'DEFER', 'DENY']),
  classification: text,
  reason: text,
  read: z.array(z.strictObject({ field: text, value: json })),
});

const argument = z
  .strictObject({ path: text, value: json, source: z.enum(sources), where: text.optional(), role: z.enum(argumentRoles).optional() })
  .transform(({ where, role, ...rest }) => ({ ...rest, ...(where !== undefined && { where }), ...(role !== undefined && { role }) }));

const recipient = z
  .strictObject({ address: text, standing: z.enum(['internal', 'known', 'external', 'look_alike', 'unknown']), resembles: text.optional() })
  .transform(({ resembles, ...rest }) => (resembles === undefined ? rest : { ...rest, resembles }));

const identity = z.strictObject({
  human: text,
  human_person: idField('person').nullable(),
  service: text,
  agent: text,
  registered_by: idField('person').nullable(),
  role: text,
  scope: texts,
  delegation: z.array(idField('session')),
});

const approvers = z
  .strictObject({
    groups: texts, all_groups: z.boolean(), quorum: countField(1), separation: z.boolean(),
    escalate: z.strictObject({ to: texts, after_s: countField(0) }).optional(),
  })
  .transform(({ escalate, ...rest }) => (escalate === undefined ? rest : { ...rest, escalate }));

const timelineStep = z.strictObject({
  at: timestampField,
  kind: z.enum(['request', 'permit', 'outcome', 'attribute', 'untrusted_text', 'held']),
  subject: text,
  labels: texts,
});

const askedBack = z.strictObject({
  by: idField('person'), name: text, at: timestampField, question: text, answer: text.nullable(), answered_by: text, answered_at: timestampField,
});

const changed = z.strictObject({
  from: idField('approval'),
  differences: z.array(z.strictObject({ what: z.enum(differenceKinds), name: text, before: json, after: json })).max(mostDifferences),
});

const edited = z.strictObject({
  from: idField('approval'), by: idField('person'), name: text, at: timestampField, reason: text.nullable(), parameters, transformed: parameters.nullable(),
});

/** The exact fields of a held action: what its approver's screen is drawn from. */
export const heldActionSchema: z.ZodType<HeldAction> = z.strictObject({
  approval: idField('approval'),
  session: idField('session'),
  action_id: idField('action'),
  action: z.strictObject({ tool: text, operation: text, parameters }),
  transformed: z
    .strictObject({ parameters, changes: z.array(z.strictObject({ rule: text, path: text, from: json, to: json })) })
    .nullable(),
  effect: z.enum(heldEffects),
  impact: z.enum(impacts),
  rules: z.array(rule),
  signals: z.array(z.strictObject({ name: text, score: thousandths, weight: countField(0), evidence: text })),
  alignment: thousandths,
  confidence: z.enum(levels),
  evaluability: thousandths,
  arguments: z.array(argument),
  recipients: z.array(recipient),
  labels: texts,
  identity,
  requests: z.array(z.strictObject({ at: timestampField, text, assurance: z.enum(['verified', 'orchestrator', 'same_host']) })),
  agent_reason: text.nullable(),
  timeline: z.array(timelineStep),
  attributes: z.array(
    z.strictObject({ subject: text, name: text, value: json, unavailable: z.boolean(), source: text, observed_at: timestampField }),
  ),
  preconditions: z.array(z.strictObject({ name: text, value: json })),
  approvers,
  policy: z.strictObject({ revision: countField(1), digest: digestField }),
  asked: z.array(askedBack).exactOptional(),
  changed: changed.exactOptional(),
  edited: edited.exactOptional(),
  held_at: timestampField,
  salt: saltField,
  expires_at: timestampField,
});

function isJson(value: unknown): value is Json {
  if (value === null || typeof value === 'boolean') return true;
  if (typeof value === 'string') return value.isWellFormed();
  if (typeof value === 'number') return Number.isFinite(value);
  if (Array.isArray(value)) return value.every(isJson);
  return typeof value === 'object' && Object.getPrototypeOf(value) === Object.prototype && Object.values(value).every(isJson);
}
