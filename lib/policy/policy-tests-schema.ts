import { z } from 'zod';

import { provenances, requestAssurances } from '@/lib/context/entry';
import { classifications } from '@/lib/engine/decision';
import { signalNames } from '@/lib/engine/signal-names';
import { decisionKinds } from '@/lib/mediate/catalogue';

import { withFix } from './zod-diagnostics';

const name = z.string().min(1).max(200);
const share = z.number().min(0).max(1);

/** An action as somebody writes it down to ask about it. */
export const askedActionSchema = z.strictObject({ tool: name, operation: name, parameters: z.record(z.string(), z.json()).prefault({}) });

/** What a session has seen, as far as somebody writes it down; what is left out is as in a quiet session. */
export const givenSchema = z.strictObject({
  /** The user's words; what they ask for is read by the lexicon. Left out: no request is recorded. */
  request: z.string().max(32_768).optional(),
  assurance: z.enum(requestAssurances).prefault('orchestrator'),
  human: name.prefault('ada@harbor.example'),
  role: name.prefault('assistant'),
  labels: z.array(name).prefault([]),
  /** Permitted before, oldest first: `tool.operation`. */
  prior: z.array(z.union([name, z.strictObject({ action: name, labels: z.array(name).prefault([]), minutes_ago: z.number().min(0).prefault(5), amount: z.number().optional() })])).prefault([]),
  attributes: z.array(z.strictObject({ subject: name, name, value: z.json().prefault(null), source: name, unavailable: z.boolean().prefault(false) })).prefault([]),
  provenance: z.record(name, z.enum(provenances)).prefault({}),
  /** How well the action fits the request, and how much of that is known. */
  alignment: share.nullable().prefault(0.9),
  evaluability: share.prefault(1),
  grants: z.array(name).prefault([]),
  elapsed_minutes: z.number().min(0).prefault(10),
  /** The time of the decision, for rules with a time window. */
  at: z.iso.datetime({ precision: 3, error: withFix('A time is written in UTC with milliseconds.', 'Write it like 2030-06-03T12:00:00.000Z.') }).prefault('2030-06-03T12:00:00.000Z'),
  /** What signals say against the action, 0 to 1; null: not known. Beside the alignment, which is stated. */
  risk: z.partialRecord(z.enum(signalNames), share.nullable()).prefault({}),
  scope: z.array(name).prefault([]),
});
export type Given = z.output<typeof givenSchema>;

/** One case of a `*.test.yaml`: an action, what the session has seen, and what the policy should say. */
export const policyTestSchema = z.strictObject({
  name,
  action: askedActionSchema,
  given: givenSchema.prefault({}),
  expect: z.strictObject({
    decision: z.enum(decisionKinds),
    code: name.optional(),
    rule: name.optional(),
    classification: z.enum(classifications).optional(),
    approvers: z.array(name).optional(),
    quorum: z.int().optional(),
    missing: z.array(name).optional(),
    transformed: z.record(z.string(), z.json()).optional(),
  }),
});

export const policyTestsSchema = z.strictObject({ tests: z.array(policyTestSchema).min(1).max(1000) });

export type PolicyTest = z.output<typeof policyTestSchema>;
