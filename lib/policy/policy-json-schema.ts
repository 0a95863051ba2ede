import { z } from 'zod';

import { provenances } from '@/lib/context/entry';
import { identityNames } from '@/lib/engine/predicate';
import { labelLevels } from '@/lib/engine/label-levels';
import { timeZoneNames } from '@/lib/engine/time-zones';
import { effects } from '@/lib/mediate/catalogue';


import { describeKeys } from './assist/describe-keys';
import type { Operator } from './build-condition';
import type { contextPredicates } from './build-context';
import { documentSchema, duration, ruleSchema } from './document-schema';

/**
 * JSON Schema (draft 2020-12) of a policy for editors, from the same source that reads policies. It is wider than the reader, which
 * also knows what fits together: what this refuses does not load, what it takes may still have problems.
 */
export function policyJsonSchema(): unknown {
  const schema = z.toJSONSchema(documentSchema.extend({ rules: z.array(editorRule).optional() }), { io: 'input', target: 'draft-2020-12', reused: 'ref' });
  return describeKeys({ $schema: 'https://json-schema.org/draft/2020-12/schema', $id: 'policy-v1.json', title: 'Countersign policy, version 1', ...schema });
}

const scalar = z.union([z.string(), z.number(), z.boolean(), z.null()]);
const oneOrMore = z.union([scalar, z.array(scalar).min(1)]);
const texts = z.union([z.string(), z.array(z.string()).min(1)]);
const order = z.union([z.number(), z.enum(labelLevels), duration]);

/** What stands behind each operator, whatever the field. */
const operands: Readonly<Record<Operator, z.ZodType>> = {
  eq: z.json(), not: z.json(), in: z.array(z.json()).min(1), not_in: z.array(z.json()).min(1),
  lt: order, lte: order, gt: order, gte: order,
  contains: oneOrMore, contains_all: oneOrMore, matches: z.string().max(1000), starts_with: texts, domain_in: texts, within: texts,
  owned_by: z.string().min(1), external: z.boolean(), exists: z.boolean(), higher_than: z.enum(labelLevels),
};

const optional = (fields: Readonly<Record<string, z.ZodType>>): Record<string, z.ZodType> => Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, field.optional()]));

const condition = z.union([oneOrMore, z.strictObject(optional(operands))]).meta({ id: 'condition', description: 'A value, a list of values of which one is enough, or operators that must all hold.' });
const name = z.string().min(1);
const step = z.strictObject(optional({ tool: texts, operation: texts, effect: z.union([z.enum(effects), z.array(z.enum(effects)).min(1)]), label: z.string() }));
const counted = z.strictObject(optional({ ...step.shape, of: z.enum(['actions', 'amounts']), eq: z.number(), lt: z.number(), lte: z.number(), gt: z.number(), gte: z.number(), within: duration }));
const time = z.string().regex(/^(?:[01]\d|2[0-4]):[0-5]\d$/);
const day = z.string().regex(/^(?:sun|mon|tue|wed|thu|fri|sat)(?:-(?:sun|mon|tue|wed|thu|fri|sat))?$/i);
const window = z.strictObject({
  zone: z.string().meta({ enum: [...timeZoneNames] }), days: z.union([day, z.array(day).min(1)]).optional(),
  dates: z.union([z.string(), z.array(z.string()).min(1)]).optional(), from: time.optional(), to: time.optional(),
});
const windows = z.union([window, z.array(window).min(1)]);
const share = z.number().min(0).max(1);
const origin = z.union([z.enum(provenances), z.literal('trusted output'), z.literal('untrusted output')]);
const origins = z.union([origin, z.array(origin).min(1)]);

const context: Readonly<Record<(typeof contextPredicates)[number], z.ZodType>> = {
  prior_actions: condition,
  data_classification: condition,
  user_intent: condition,
  target_ownership: condition,
  recipient: z.union([oneOrMore, z.strictObject(optional({ ...operands, attributes: z.record(name, condition) }))]),
  provenance: z.record(name, z.union([origins, z.strictObject(optional({ eq: origin, not: origins, in: z.array(origin).min(1), not_in: z.array(origin).min(1), contains: origins, exists: z.boolean() }))])),
  volume: counted,
  count: counted,
  velocity: counted,
  elapsed: z.strictObject(optional({ lt: duration, lte: duration, gt: duration, gte: duration })),
  sequence: z.strictObject({ steps: z.array(step).min(2).max(10), within: duration.optional() }),
  time_window: z.union([windows, z.strictObject({ not: windows })]),
  // Which signals there are belongs to the formula that is in use, not to the language.
  risk_signals: z.record(name, z.strictObject(optional({ lt: share, lte: share, gt: share, gte: share }))),
  attributes: z.record(name, condition),
};

const editorRule = ruleSchema.extend({
  match: ruleSchema.shape.match.unwrap().extend({
    parameters: z.record(name, condition).optional(),
    identity: z.strictObject(optional(Object.fromEntries(identityNames.map((known) => [known, condition])))).optional(),
  }).optional(),
  context: z.strictObject(optional(context)).optional(),
});
