import { lookup as resolve } from 'node:dns';
import http from 'node:http';
import https from 'node:https';
import type { LookupFunction } from 'node:net';

import { isInnerHost } from '@/lib/guards/inner-host';
import type { Json } from '@/lib/shared/json';

/** Where and how a service outside is asked. `allowInner`: it may lie on this machine or an inner network, and speak plain HTTP. */
export type ServiceAddress = { readonly url: URL; readonly token: string | undefined; readonly allowInner: boolean; readonly deadlineMs: number };

export type PostFault = 'not_allowed' | 'late' | 'unreachable' | 'too_large';
export type Posted = { readonly status: number; readonly body: Buffer } | { readonly fault: PostFault };

/** `postBytes` of JSON, which takes JSON for an answer. */
export const postJson = (address: ServiceAddress, json: Json, answerBytes: number): Promise<Posted> =>
  postBytes(address, Buffer.from(JSON.stringify(json)), { 'content-type': 'application/json', accept: 'application/json' }, answerBytes);

/**
 * One POST to exactly this address: a redirect is an answer like any other, and not followed. Never throws. Settles by the deadline,
 * however slowly the other side goes on, and at the first byte over `answerBytes`. Addresses of inner networks are refused when the
 * connection is made, so a name that points elsewhere by then is refused as well.
 */
export async function postBytes(
  { url, token, allowInner, deadlineMs }: ServiceAddress,
  body: Buffer,
  more: Readonly<Record<string, string>>,
  answerBytes: number,
): Promise<Posted> {
  if (!allowInner && (url.protocol !== 'https:' || isInnerHost(url.hostname))) return { fault: 'not_allowed' };
  const headers = {
    ...more,
    'content-length': body.length,
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
  };
  return await new Promise((settle) => {
    const signal = AbortSignal.timeout(deadlineMs);
    const fail = (): void => settle({ fault: signal.aborted ? 'late' : 'unreachable' });
    const options = { method: 'POST', headers, signal, agent: false, ...(allowInner ? {} : { lookup: lookUpOuter }) } as const;
    const request = (url.protocol === 'https:' ? https : http).request(url, options, (response) => {
      const chunks: Buffer[] = [];
      let length = 0;
      response.on('data', (chunk: Buffer) => {
        length += chunk.length;
        if (length <= answerBytes) return void chunks.push(chunk);
        settle({ fault: 'too_large' });
        request.destroy();
      });
      response.once('error', fail);
      response.once('end', () => settle({ status: response.statusCode ?? 0, body: Buffer.concat(chunks) }));
    });
    request.once('error', fail);
    request.end(body);
  });
}

/** Resolves a name, and refuses it when any of its addresses is an inner one. */
export const lookUpOuter: LookupFunction = (hostname, options, callback) => {
  resolve(hostname, { ...options, all: true }, (error, addresses) => {
    if (error) return callback(error, '');
    const inner = addresses.some(({ address, family }) => isInnerHost(family === 6 ? new URL(`http://[${address}]`).hostname : address));
    const [first] = addresses;
    if (inner || !first) return callback(Object.assign(new Error(`${hostname} is on an inner network.`), { code: 'EINNER' }), '');
    if (options.all === true) return callback(null, addresses);
    callback(null, first.address, first.family);
  });
};
