import { z } from 'zod';

import { jsonSchema } from '@/lib/contracts/plane/common';
import { decisionKinds } from '@/lib/mediate/catalogue';

const name = z.string().min(1).max(200);
const object = z.record(z.string(), jsonSchema);

/** Who exists while a case is played. An adapter makes these people and credentials before the first case. */
export const castSchema = z.strictObject({
  people: z.array(z.strictObject({ email: name, groups: z.array(name) })),
  agents: z.array(z.strictObject({ id: name, role: name, scope: z.array(name), registered_by: name })),
  orchestrator: name,
  enforcement_point: name,
  information_points: z.array(z.strictObject({ id: name, attributes: z.array(name) })),
});
export type Cast = z.infer<typeof castSchema>;

/** `agent`: the agent that proposes or reports itself; `enforcement_point`: whoever runs tools apart from it. */
const actor = z.enum(['agent', 'enforcement_point']);

export const callSchema = z.discriminatedUnion('call', [
  /** Takes a policy into force, for all sessions from now on. Not signed: it must not be taken, and nothing must be allowed. */
  z.strictObject({ call: z.literal('load_policy'), policy: object, signed: z.boolean(), cast: castSchema }),
  /** `parent`: the session whose agent hands part of its task on; the new one goes on from what that one has seen. */
  z.strictObject({ call: z.literal('open_session'), human: name, agent: name, request: name.max(32_768), parent: name.nullable() }),
  z.strictObject({
    call: z.literal('act'), do: z.literal('propose'), session: name, agent: name, tool: name, operation: name, parameters: object, depends_on: z.array(name), reason: z.string(),
  }),
  /** Runs the effect if, and only if, what was decided permits it. */
  z.strictObject({ call: z.literal('act'), do: z.literal('execute'), action: name }),
  z.strictObject({ call: z.literal('act'), do: z.literal('report'), action: name, by: actor, status: z.enum(['succeeded', 'failed', 'unknown']), output: z.string() }),
  z.strictObject({ call: z.literal('act'), do: z.literal('withdraw'), action: name }),
  z.strictObject({ call: z.literal('supply'), do: z.literal('message'), session: name, text: name.max(32_768) }),
  z.strictObject({ call: z.literal('supply'), do: z.literal('attribute'), session: name, by: name, subject: name, name, value: jsonSchema }),
  z.strictObject({ call: z.literal('supply'), do: z.literal('vote'), action: name, by: name, verdict: z.enum(['approve', 'deny']) }),
  /** What a content inspector or a further decision point answers about every later action of the session. */
  z.strictObject({ call: z.literal('supply'), do: z.literal('finding'), session: name, verdict: z.enum(['redact', 'hold', 'block', 'failed']), path: z.string() }),
  z.strictObject({ call: z.literal('supply'), do: z.literal('answer'), session: name, answer: z.enum(['permit', 'deny', 'indeterminate', 'fault']) }),
  z.strictObject({ call: z.literal('supply'), do: z.literal('kill_switch'), on: z.boolean() }),
  z.strictObject({ call: z.literal('supply'), do: z.literal('suspend'), agent: name, on: z.boolean() }),
  z.strictObject({ call: z.literal('supply'), do: z.literal('close'), session: name }),
  /** `after_s`: let so many seconds pass first, by waiting or by moving the system's clock. */
  z.strictObject({ call: z.literal('state'), of: z.enum(['action', 'session']), id: name, after_s: z.number().min(0).max(86_400) }),
]);
export type Call = z.infer<typeof callSchema>;

export const actionStates = [
  'denied', 'held', 'deferred', 'permitted', 'redeemed', 'succeeded', 'failed', 'unknown', 'expired', 'withdrawn', 'superseded',
] as const;

export const replySchema = z.strictObject({
  /** The call itself came to nothing, with the system's word for why. A negative decision is no refusal. */
  refused: name.exactOptional(),
  /** What this system has no way to do or to show. */
  unsupported: name.exactOptional(),
  loaded: z.boolean().exactOptional(),
  session: name.exactOptional(),
  action: name.exactOptional(),
  decision: z.enum(decisionKinds).exactOptional(),
  state: z.enum([...actionStates, 'open', 'closed']).exactOptional(),
  /** Left out by a system with codes of its own: then none is compared. */
  code: name.exactOptional(),
  classification: name.exactOptional(),
  missing: z.array(name).exactOptional(),
  suppliers: z.array(name).exactOptional(),
  approvers: z.array(name).exactOptional(),
  quorum: z.strictObject({ needed: z.int(), given: z.int() }).exactOptional(),
  /** Parameters of a′. */
  transformed: object.exactOptional(),
  /** Parameters that ran, in answer to `execute`. */
  executed: object.exactOptional(),
  /** How often the effect has run. */
  executions: z.int().min(0).exactOptional(),
  /** `delegation`: the sessions above it, nearest first; left out where there is none. */
  identity: z.strictObject({ human: name, service: name, agent: name, session: name, role: name, scope: z.array(name), delegation: z.array(name).exactOptional() }).exactOptional(),
  /** The session's chain: each link with the one before it. */
  chain: z.array(z.strictObject({ previous: name.nullable(), hash: name })).exactOptional(),
});
export type Reply = z.infer<typeof replySchema>;
