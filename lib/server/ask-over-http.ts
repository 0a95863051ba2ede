import { z } from 'zod';

import type { Answer, Question } from '@/lib/ports/information-point';
import { timestampField } from '@/lib/shared/document-fields';
import { jsonField } from '@/lib/ledger/json-field';
import { isJsonObject } from '@/lib/shared/json';
import { parseStrictJson } from '@/lib/shared/strict-json';

import { postJson, type PostFault, type ServiceAddress } from './post-json';

/** An answer is one value; more than this is refused at the first byte too many. */
const answerBytes = 64 * 1024;

const supplied = z.strictObject({ value: jsonField, observed_at: timestampField.optional() });
const unavailable = z.strictObject({ unavailable: z.literal(true) });

/**
 * Asks an information point with one POST of `{ subject, name }` and reads `{ value, observed_at? }` or `{ unavailable: true }`.
 * Everything else, a redirect included, is a failure, and so is whatever takes longer than the deadline.
 */
export async function askOverHttp(address: ServiceAddress, { subject, name }: Question): Promise<Answer> {
  const posted = await postJson(address, { subject, name }, answerBytes);
  if ('fault' in posted) return failed(inWords(posted.fault, address.deadlineMs));
  return posted.status === 200 ? read(posted.body) : failed(`It answered ${String(posted.status)}.`);
}

function inWords(fault: PostFault, deadlineMs: number): string {
  const words: Readonly<Record<PostFault, string>> = {
    not_allowed: 'Its address is not public and encrypted, and nobody allowed that.',
    late: `It did not answer within ${String(deadlineMs)} ms.`,
    unreachable: 'It could not be reached.',
    too_large: `Its answer is over ${String(answerBytes)} bytes.`,
  };
  return words[fault];
}

function read(bytes: Buffer): Answer {
  const json = parseStrictJson(bytes);
  if (!json.ok) return failed('Its answer is not JSON that can be read exactly.');
  if (unavailable.safeParse(json.value).success || (isJsonObject(json.value) && unavailable.safeParse(json.value['value']).success)) return { kind: 'unavailable' };
  const parsed = supplied.safeParse(json.value);
  if (!parsed.success) return failed('Its answer is neither a value nor that there is none.');
  const { value, observed_at } = parsed.data;
  return { kind: 'supplied', value, ...(observed_at === undefined ? {} : { observed_at }) };
}

const failed = (detail: string): Answer => ({ kind: 'failed', detail });
