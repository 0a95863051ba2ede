import { z } from 'zod';

import { bounds } from '@/lib/shared/bounds';

import { idSchema, jsonSchema, parametersSchema, wellFormed } from './common';

const name = wellFormed(bounds.nameLength).min(1);

const proposed = {
  tool: name,
  operation: name,
  parameters: parametersSchema,
  depends_on: z.array(idSchema('action')).max(bounds.dependsOn).optional(),
  /** The agent's own words: shown as untrusted text, never an input. */
  reason: wellFormed(bounds.reasonText).optional(),
};

export const proposeActionBody = z.strictObject({ session: idSchema('session'), ...proposed });
export type ProposeActionBody = z.infer<typeof proposeActionBody>;

export const batchBody = z.strictObject({
  session: idSchema('session'),
  actions: z.array(z.strictObject(proposed)).min(1).max(bounds.actionsPerBatch),
});
export type BatchBody = z.infer<typeof batchBody>;

export const actionStates = [
  'denied', 'held', 'deferred', 'permitted', 'redeemed', 'succeeded', 'failed', 'unknown', 'expired', 'withdrawn', 'superseded',
] as const;
export const actionStateSchema = z.enum(actionStates);
export type ActionState = z.infer<typeof actionStateSchema>;

export const executeSchema = z.strictObject({ tool: z.string(), operation: z.string(), parameters: parametersSchema });
export const obligationSchema = z.strictObject({ kind: z.string(), value: jsonSchema });

/** What the plane answers about an action, whatever its state. A negative decision is a 200 like any other. */
export const actionView = z.strictObject({
  id: idSchema('action'),
  decision: z.enum(['ALLOW', 'MODIFY', 'STEP_UP', 'DEFER', 'DENY']),
  state: actionStateSchema,
  classification: z.string().optional(),
  code: z.string(),
  reason: z.string(),
  guidance: z.string().optional(),
  policy: z.strictObject({ revision: z.number().int(), digest: z.string() }).optional(),
  transformed: executeSchema.optional(),
  permit: z.strictObject({ id: idSchema('permit'), expires_at: z.string(), envelope: jsonSchema }).optional(),
  approval: z
    .strictObject({
      id: idSchema('approval'),
      expires_at: z.string(),
      quorum: z.strictObject({ needed: z.number().int(), given: z.number().int() }),
      url: z.string(),
    })
    .optional(),
  deferral: z
    .strictObject({
      missing: z.array(z.strictObject({ field: z.string(), suppliers: z.array(z.string()) })),
      /** Actions that have to end first. */
      waits_for: z.array(idSchema('action')).optional(),
      /** What a person asked back instead of deciding, and which of the action's questions it is. Not the agent's to answer. */
      question: z.strictObject({ text: z.string(), asked: z.number().int() }).optional(),
      expires_at: z.string(),
    })
    .optional(),
  /** The action that a person changed this one into: it is what may be permitted, and is followed by its own id. */
  superseded_by: idSchema('action').optional(),
  outcome: z.strictObject({ status: z.enum(['succeeded', 'failed', 'unknown']), at: z.string() }).optional(),
  receipt: z.strictObject({ id: z.string(), index: z.number().int() }),
  rules: z.array(jsonSchema).optional(),
  signals: z.array(jsonSchema).optional(),
});
export type ActionView = z.infer<typeof actionView>;

export const batchView = z.strictObject({ results: z.array(actionView) });
export type BatchView = z.infer<typeof batchView>;

export const redeemView = z.strictObject({
  action: idSchema('action'),
  execute: executeSchema,
  obligations: z.array(obligationSchema),
  outcome_due_at: z.string(),
});
export type RedeemView = z.infer<typeof redeemView>;

export const outcomeBody = z.strictObject({
  status: z.enum(['succeeded', 'failed', 'unknown']),
  output: jsonSchema.optional(),
  error: wellFormed(bounds.reasonText).optional(),
});
export type OutcomeBody = z.infer<typeof outcomeBody>;

export const outcomeView = z.strictObject({ output: jsonSchema, labels: z.array(z.string()) });
export type OutcomeView = z.infer<typeof outcomeView>;
