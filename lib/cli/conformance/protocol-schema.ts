import { z } from 'zod';

import { callSchema, replySchema } from './call';

/** JSON Schema (2020-12) of the calls and answers, for whoever writes an adapter: made from what the runner itself goes by. */
export function protocolSchema(): object {
  const document = z.strictObject({ call: callSchema, answer: replySchema });
  // What JSON may stand for a value is left open by the protocol itself.
  return z.toJSONSchema(document, { target: 'draft-2020-12', unrepresentable: 'any', io: 'input' });
}
