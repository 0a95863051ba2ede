import type { z } from 'zod';

import { errorView } from '@/lib/contracts/plane/errors';
import { bounds } from '@/lib/shared/bounds';
import { ok } from '@/lib/shared/result';
import { parseStrictJson } from '@/lib/shared/strict-json';

import { answerBytes, readBounded } from './read-bounded';
import { refuse, type Answered, type Refusal } from './refusal';

export type Fetch = (input: string, init: RequestInit) => Promise<Response>;

export type Call<T> = {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly url: string;
  readonly token: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** What a 2xx answer has to look like. */
  readonly answer: z.ZodType<T>;
  /** For the whole answer, its body included. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
};

/**
 * One call of the plane. Only a 2xx whose body fits the contract, whole and in time, is an answer; everything else is a refusal,
 * because a caller that cannot tell must not act.
 */
export async function sendCall<T>(fetch: Fetch, call: Call<T>): Answered<T> {
  const late = AbortSignal.timeout(call.timeoutMs);
  const signal = call.signal ? AbortSignal.any([late, call.signal]) : late;
  try {
    const response = await until(signal, fetch(call.url, requestOf(call, signal)));
    const body = await until(signal, readBounded(response));
    if (!body) return refuse('plane_unreadable', 'The answer is over the bound.');
    return read(response, body, call.answer);
  } catch (cause) {
    if (call.signal?.aborted === true) return refuse('stopped', 'The call was given up.', cause);
    if (late.aborted) return refuse('plane_late', `No answer came within ${String(call.timeoutMs)} ms.`, cause);
    return refuse('plane_unreachable', 'The call did not get through.', cause);
  }
}

/** An answer wraps a body that the plane took within its own bounds. */
const answerLimits = { depth: bounds.jsonDepth + 8, nodes: 2 * bounds.jsonNodes, length: answerBytes };

function requestOf<T>({ method, token, body, headers }: Call<T>, signal: AbortSignal): RequestInit {
  return {
    method,
    signal,
    // The token goes to the plane that it was made for, wherever an answer points.
    redirect: 'error',
    headers: { ...headers, authorization: `Bearer ${token}`, accept: 'application/json', ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  };
}

function read<T>(response: Response, body: Uint8Array, answer: z.ZodType<T>): Awaited<Answered<T>> {
  const json = parseStrictJson(body, answerLimits);
  if (!json.ok) return refuse('plane_unreadable', `The answer (${String(response.status)}) is no JSON.`, json.error);
  if (response.status !== 200 && response.status !== 201) return { ok: false, error: refusalOf(response.status, json.value) };
  const parsed = answer.safeParse(json.value);
  return parsed.success ? ok(parsed.data) : refuse('plane_unreadable', 'The answer does not fit the contract.', parsed.error);
}

function refusalOf(status: number, json: unknown): Refusal {
  const parsed = errorView.safeParse(json);
  if (!parsed.success) return refuse('plane_unreadable', `The plane answered ${String(status)} without saying why.`).error;
  const { code, detail, fix } = parsed.data.error;
  return { code, detail, ...(fix === undefined ? {} : { fix }) };
}

/** Ends with the signal, also when what is waited for takes no notice of it. */
function until<T>(signal: AbortSignal, promise: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = (): void => {
      reject(signal.reason instanceof Error ? signal.reason : new Error('The call was given up.'));
    };
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    promise.then(resolve, reject).finally(() => {
      signal.removeEventListener('abort', abort);
    });
  });
}
