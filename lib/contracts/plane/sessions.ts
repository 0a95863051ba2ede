import { z } from 'zod';

import { bounds } from '@/lib/shared/bounds';

import { emailSchema, idSchema, instantSchema, jsonSchema, nameSchema, wellFormed } from './common';

/** With `parent` it goes on from that session's context. From an agent, `request` is what it wants of the child, and no request of the human. */
export const openSessionBody = z.strictObject({
  human: emailSchema,
  request: wellFormed(bounds.requestText).min(1),
  agent: nameSchema,
  parent: idSchema('session').optional(),
  expected_scope: wellFormed(bounds.nameLength).optional(),
});
export type OpenSessionBody = z.infer<typeof openSessionBody>;

export const messageBody = z.strictObject({ text: wellFormed(bounds.requestText).min(1) });
export type MessageBody = z.infer<typeof messageBody>;

/** `value`, or `value: { "unavailable": true }` where a listed source settles that there is none. */
export const attributeBody = z.strictObject({
  subject: wellFormed(bounds.nameLength).min(1),
  name: z.string().regex(/^[a-z][a-z0-9_.]{0,63}$/, { message: 'A lower-case name such as owner or effect.count is needed here.' }),
  value: jsonSchema,
  observed_at: instantSchema.optional(),
});
export const contextBody = z.strictObject({
  attributes: z.array(attributeBody).min(1).max(bounds.attributesPerCall),
});
export type ContextBody = z.infer<typeof contextBody>;

export const sessionView = z.strictObject({
  id: idSchema('session'),
  human: z.string(),
  agent: z.string(),
  parent: idSchema('session').optional(),
  state: z.enum(['open', 'closed', 'expired']),
  opened_at: z.string(),
  receipt: z.strictObject({ id: z.string(), index: z.number().int() }),
});
export type SessionView = z.infer<typeof sessionView>;

export const contextView = z.strictObject({
  accepted: z.array(z.strictObject({ subject: z.string(), name: z.string(), used: z.boolean() })),
  redecided: z.array(idSchema('action')),
});
export type ContextView = z.infer<typeof contextView>;
