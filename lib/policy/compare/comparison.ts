import { z } from 'zod';

import { decisionKinds } from '@/lib/mediate/catalogue';
import type { Json, JsonObject } from '@/lib/shared/json';

/** `none`: both texts decide the same about everything. */
export const comparedChanges = ['none', 'tighten', 'loosen', 'mixed', 'moved_authority', 'not_proved'] as const;

const name = z.string().max(400);
const words = z.string().min(1).max(4096);
const count = z.int().min(0);
const json = z.custom<Json>((value) => z.json().safeParse(value).success, 'no JSON value');
const object = z.custom<JsonObject>((value) => z.record(z.string(), z.json()).safeParse(value).success, 'no JSON object');

const demandSchema = z.strictObject({
  approvers: z.array(name).readonly(), all_groups: z.boolean(), quorum: count, timeout_s: count, separation: z.boolean(),
  escalate: z.strictObject({ to: z.array(name).readonly(), after_s: count }).readonly().exactOptional(),
}).readonly();

/** What of a decision counts when two are compared: everything but words, codes and the trace. */
const decidedSchema = z.strictObject({
  decision: z.enum(decisionKinds),
  /** a′; left out where the action stands as proposed. */
  parameters: object.exactOptional(),
  approval: demandSchema.exactOptional(),
  deferral: z.strictObject({
    missing: z.array(z.strictObject({ field: name, subject: name.exactOptional(), suppliers: z.array(name).readonly() }).readonly()).readonly(),
    timeout_s: count, conflict: z.boolean(), escalate: demandSchema.exactOptional(), at_timeout: demandSchema.exactOptional(),
  }).readonly().exactOptional(),
  obligations: z.array(z.strictObject({ kind: name, value: json }).readonly()).readonly(),
  /** A grant is consumed. */
  grant: z.boolean(),
}).readonly();

export type DemandCompared = z.output<typeof demandSchema>;
export type Decided = z.output<typeof decidedSchema>;

/** `moves`: somebody else decides. */
export const changeEffects = ['loosens', 'tightens', 'moves'] as const;
export type ChangeEffect = (typeof changeEffects)[number];

/** An action that the two policies decide differently: proposed as written, in a session as the snapshot says, at that time (ISO 8601, UTC). */
const witnessSchema = z.strictObject({
  action: z.strictObject({ tool: name, operation: name, parameters: object }).readonly(),
  snapshot: object,
  now: name,
}).readonly();

/** Actions of one operation whose decision changes alike, with one of them as proof. */
const decisionChangeSchema = z.strictObject({
  of: z.literal('decision'),
  /** Whose actions, in words: `every agent`, or conditions on identity. */
  agents: words,
  tool: name, operation: name,
  /** Which arguments and what context, in words, each part a condition; empty: all of them. */
  where: z.array(words).readonly(),
  from: decidedSchema, to: decidedSchema,
  /** In words, what is different: `quorum 2 → 1`. */
  differences: z.array(words).readonly(),
  effects: z.array(z.enum(changeEffects)).readonly(),
  witness: witnessSchema,
  /** Equivalence classes in which it changes so. */
  classes: count,
}).readonly();

/** Something beside decisions that has to be agreed to: how long a permit lasts, who may say what an owner is. */
const settingChangeSchema = z.strictObject({
  of: z.literal('setting'),
  setting: words,
  from: json, to: json,
  effects: z.array(z.enum(changeEffects)).readonly(),
}).readonly();

export type Witness = z.output<typeof witnessSchema>;
export type DecisionChange = z.output<typeof decisionChangeSchema>;
export type SettingChange = z.output<typeof settingChangeSchema>;
export type Change = DecisionChange | SettingChange;

export const comparisonSchema = z.strictObject({
  change: z.enum(comparedChanges),
  /** What loosens comes first. */
  changes: z.array(z.discriminatedUnion('of', [decisionChangeSchema, settingChangeSchema])).readonly(),
  /** More changes than are listed. */
  further: count,
  /** What could not be searched, each in a sentence; then the class is `not_proved`. */
  unproved: z.array(words).readonly(),
  /** How the answer was found. */
  method: z.string().min(1).max(200),
  /** Every class that the two policies distinguish was looked at. */
  exhaustive: z.boolean(),
  /** Equivalence classes decided under both, operations looked at and left out because nothing of theirs changed. */
  counted: z.strictObject({ classes: count, operations: count, unchanged_operations: count }).readonly(),
}).readonly();

export type Comparison = z.output<typeof comparisonSchema>;
