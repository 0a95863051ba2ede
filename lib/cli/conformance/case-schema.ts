import { z } from 'zod';

import { jsonSchema } from '@/lib/contracts/plane/common';
import { decisionKinds } from '@/lib/mediate/catalogue';

import { actionStates, castSchema } from './call';

const name = z.string().min(1).max(200);
const text = z.string().min(1).max(4096);
const object = z.record(z.string(), jsonSchema);

/** What an answer has to say. What is left out is not looked at. */
const wantSchema = z.strictObject({
  refused: z.union([z.literal(true), name]).optional(),
  /** Refused or denied: systems differ in whether they decide what they will not hear at all. */
  stopped: z.literal(true).optional(),
  loaded: z.boolean().optional(),
  decision: z.enum(decisionKinds).optional(),
  state: z.enum([...actionStates, 'open', 'closed']).optional(),
  code: name.optional(),
  classification: name.optional(),
  missing: z.array(name).optional(),
  suppliers: z.array(name).optional(),
  approvers: z.array(name).optional(),
  quorum: z.strictObject({ needed: z.int(), given: z.int() }).optional(),
  transformed: object.nullable().optional(),
  executed: object.optional(),
  executions: z.int().optional(),
  /** Whose identity the action has: names of the cast and of the case's sessions. */
  identity: z.strictObject({ human: name, service: name, agent: name, session: name, role: name, scope: z.array(name), delegation: z.array(name).exactOptional() }).optional(),
  /** The chain holds together, and is longer (or not) than when it was last looked at. */
  chain: z.enum(['longer', 'same']).optional(),
});
export type Want = z.infer<typeof wantSchema>;

const step = <Name extends string, Shape extends z.core.$ZodLooseShape>(does: Name, shape: Shape) =>
  z.strictObject({ do: z.literal(does), ...shape, want: wantSchema.optional() });

const session = name.prefault('main');
const action = name.prefault('it');

const stepSchema = z.discriminatedUnion('do', [
  step('load', { policy: name.optional(), rules: z.array(object).prefault([]), settings: object.prefault({}), signed: z.boolean().prefault(true) }),
  step('open', { as: name, human: name.prefault('ada@harbor.example'), agent: name.prefault('clerk'), request: text, parent: name.optional() }),
  step('propose', {
    as: action, in: session, agent: name.optional(), tool: name, operation: name, parameters: object.prefault({}), depends_on: z.array(name).prefault([]), reason: z.string().prefault(''),
  }),
  step('execute', { action }),
  step('report', { action, by: z.enum(['agent', 'enforcement_point']).prefault('enforcement_point'), status: z.enum(['succeeded', 'failed', 'unknown']).prefault('succeeded'), output: z.string().prefault('') }),
  step('withdraw', { action }),
  step('message', { in: session, text }),
  step('attribute', { in: session, by: name.prefault('records'), subject: name, name, value: jsonSchema }),
  step('vote', { action, by: name, verdict: z.enum(['approve', 'deny']).prefault('approve') }),
  step('finding', { in: session, verdict: z.enum(['redact', 'hold', 'block', 'failed']), path: z.string().prefault('') }),
  step('answer', { in: session, answer: z.enum(['permit', 'deny', 'indeterminate', 'fault']) }),
  step('kill_switch', { on: z.boolean().prefault(true) }),
  step('suspend', { agent: name, on: z.boolean().prefault(true) }),
  step('close', { in: session }),
  step('look', { action, after_s: z.number().prefault(0) }),
  step('look_at_session', { in: session, after_s: z.number().prefault(0) }),
]);
export type Step = z.output<typeof stepSchema>;

/** The requirements of the model that cases may show. */
export const requirements = ['R1', 'R2', 'R3', 'R4', 'R6'] as const;

const caseSchema = z.strictObject({
  id: z.string().regex(/^[a-z0-9]+(-[a-z0-9]+)*$/),
  shows: z.enum(requirements),
  /** The guarantee, as a sentence. */
  says: text,
  /** Broken engines that have to fail this case (lib/testing/mutants.ts). */
  breaks_on: z.array(name).min(1),
  policy: name,
  rules: z.array(object).prefault([]),
  settings: object.prefault({}),
  /** The session `main`; null: none is opened. */
  session: z.strictObject({ human: name.prefault('ada@harbor.example'), agent: name.prefault('clerk'), request: text.prefault('Take care of my correspondence.') }).nullable().prefault({}),
  steps: z.array(stepSchema).min(1),
});
export type Case = z.output<typeof caseSchema>;

export const suiteVersion = 'countersign/conformance/v1';

export const caseFileSchema = z.strictObject({
  suite: z.literal(suiteVersion),
  about: text,
  policies: z.record(name, object).prefault({}),
  cases: z.array(caseSchema).prefault([]),
});

/** `suite.yaml` of a version: who exists, and what every policy says unless it says otherwise. */
export const suiteFileSchema = z.strictObject({ suite: z.literal(suiteVersion), cast: castSchema, settings: object });
