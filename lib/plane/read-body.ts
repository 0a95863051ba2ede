import type { IncomingMessage } from 'node:http';

import { bounds } from '@/lib/shared/bounds';
import type { Json } from '@/lib/shared/json';
import { fail, ok, type Result } from '@/lib/shared/result';
import { parseStrictJson } from '@/lib/shared/strict-json';

export type Body = { readonly bytes: Buffer; readonly json: Json };

/**
 * The body as strict JSON. One over the bound is refused as soon as it shows, before anything is parsed:
 * by its declared length, else at the first byte too many.
 */
export async function readBody(request: IncomingMessage): Promise<Result<Body>> {
  const type = request.headers['content-type'];
  if (type !== undefined && !/^application\/json(?:;.*)?$/i.test(type)) {
    return fail('invalid_json', `The body is ${type}.`, { fix: 'Send application/json.' });
  }
  const declared = Number(request.headers['content-length'] ?? 0);
  if (declared > bounds.bodyBytes) return tooLarge();
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > bounds.bodyBytes) return tooLarge();
    chunks.push(chunk);
  }
  const bytes = chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks);
  const json = parseStrictJson(bytes);
  return json.ok ? ok({ bytes, json: json.value }) : json;
}

const tooLarge = () => fail('too_large', `The body is over ${bounds.bodyBytes} bytes.`, { fix: 'Send less: large content belongs where it lies, with a reference here.' });
