import { lookup as resolve } from 'node:dns';
import http from 'node:http';
import https from 'node:https';
import type { LookupFunction } from 'node:net';
import { z } from 'zod';

import { isInnerHost } from '@/lib/guards/inner-host';
import type { Answer, Question } from '@/lib/ports/information-point';
import { timestampField } from '@/lib/shared/document-fields';
import { jsonField } from '@/lib/ledger/json-field';
import { isJsonObject } from '@/lib/shared/json';
import { parseStrictJson } from '@/lib/shared/strict-json';

/** Where and how an information point is asked. `allowInner`: it may lie on this machine or an inner network, and speak plain HTTP. */
export type InformationPointAddress = { readonly url: URL; readonly token: string | undefined; readonly allowInner: boolean; readonly deadlineMs: number };

/** An answer is one value; more than this is refused at the first byte too many. */
const answerBytes = 64 * 1024;

const supplied = z.strictObject({ value: jsonField, observed_at: timestampField.optional() });
const unavailable = z.strictObject({ unavailable: z.literal(true) });

/**
 * Asks with one POST of `{ subject, name }` and reads `{ value, observed_at? }` or `{ unavailable: true }`. Everything else, a redirect
 * included, is a failure, and so is whatever takes longer than the deadline. Addresses of inner networks are refused when the
 * connection is made, so a name that points elsewhere by then is refused as well.
 */
export async function askOverHttp({ url, token, allowInner, deadlineMs }: InformationPointAddress, { subject, name }: Question): Promise<Answer> {
  if (!allowInner && (url.protocol !== 'https:' || isInnerHost(url.hostname))) return failed('Its address is not public and encrypted, and nobody allowed that.');
  const body = Buffer.from(JSON.stringify({ subject, name }));
  const headers = {
    'content-type': 'application/json', accept: 'application/json', 'content-length': body.length,
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
  };
  return await new Promise((settle) => {
    const signal = AbortSignal.timeout(deadlineMs);
    const fail = (): void => settle(failed(signal.aborted ? `It did not answer within ${String(deadlineMs)} ms.` : 'It could not be reached.'));
    const options = { method: 'POST', headers, signal, agent: false, ...(allowInner ? {} : { lookup: lookUpOuter }) } as const;
    const request = (url.protocol === 'https:' ? https : http).request(url, options, (response) => {
      const chunks: Buffer[] = [];
      let length = 0;
      response.on('data', (chunk: Buffer) => {
        length += chunk.length;
        if (length <= answerBytes) return void chunks.push(chunk);
        settle(failed(`Its answer is over ${String(answerBytes)} bytes.`));
        request.destroy();
      });
      response.once('error', fail);
      response.once('end', () => settle(response.statusCode === 200 ? read(Buffer.concat(chunks)) : failed(`It answered ${String(response.statusCode)}.`)));
    });
    request.once('error', fail);
    request.end(body);
  });
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

/** Resolves a name, and refuses it when any of its addresses is an inner one. */
const lookUpOuter: LookupFunction = (hostname, options, callback) => {
  resolve(hostname, { ...options, all: true }, (error, addresses) => {
    if (error) return callback(error, '');
    const inner = addresses.some(({ address, family }) => isInnerHost(family === 6 ? new URL(`http://[${address}]`).hostname : address));
    const [first] = addresses;
    if (inner || !first) return callback(Object.assign(new Error(`${hostname} is on an inner network.`), { code: 'EINNER' }), '');
    if (options.all === true) return callback(null, addresses);
    callback(null, first.address, first.family);
  });
};
