import { parseStrictJson } from '@/lib/shared/strict-json';

import { replySchema, type Reply } from './call';

/** An adapter's answer; throws with what is wrong about it. */
export function readReply(text: string): Reply {
  const json = parseStrictJson(text);
  if (!json.ok) throw new Error(`The adapter’s answer cannot be read: ${json.error.detail}`);
  const reply = replySchema.safeParse(json.value);
  if (reply.success) return reply.data;
  const [issue] = reply.error.issues;
  throw new Error(`The adapter’s answer does not fit the protocol: ${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}`);
}
