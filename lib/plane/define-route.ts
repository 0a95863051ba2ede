import type { z } from 'zod';

import type { CredentialKind } from '@/lib/ports/credential-store';
import type { Caller } from '@/lib/services/caller';
import type { PlaneServices } from '@/lib/services/plane-services';
import type { Fault, Result } from '@/lib/shared/result';

import { parsedBody } from './parsed-body';

export type Call<Input, Who extends Caller | null = Caller> = {
  readonly caller: Who;
  readonly params: Readonly<Record<string, string | undefined>>;
  readonly query: URLSearchParams;
  readonly body: Input;
  /** SHA-256 of the raw body, hex: what an idempotency key is bound to. */
  readonly bodyDigest: string;
  readonly idempotencyKey: string | null;
  /** A signal that is aborted when the caller hangs up; made when asked for. */
  readonly signal: () => AbortSignal;
};

export type Route = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  /** Kinds of credential that may call it; `none`: nobody needs one. */
  readonly credential: readonly CredentialKind[] | 'none';
  readonly input: z.ZodType | null;
  readonly output: z.ZodType | null;
  readonly summary: string;
  /** The answer is text of this media type, as it is, and not JSON. */
  readonly media?: string;
  /** The body is handed over as text, whatever it is: the route refuses the call in any case. */
  readonly anyBody?: boolean;
  readonly status: number;
  readonly handle: (call: Call<unknown, Caller | null>, services: PlaneServices) => Promise<Result<unknown>>;
};

/**
 * A route of the plane. The listener authenticates, checks the kind of credential, parses `input` strictly, calls the
 * handler, and maps faults in one place; a handler sees only typed values and calls one service.
 */
export function defineRoute<Input, Output>(route: {
  readonly method: Route['method'];
  readonly path: string;
  readonly credential: readonly CredentialKind[];
  readonly input?: z.ZodType<Input>;
  readonly output?: z.ZodType<Output>;
  readonly summary: string;
  readonly media?: string;
  readonly anyBody?: boolean;
  readonly status?: number;
  readonly handler: (call: Call<Input>, services: PlaneServices) => Promise<Result<Output>>;
}): Route {
  const { handler } = route;
  return {
    method: route.method,
    path: route.path,
    credential: route.credential,
    input: route.input ?? null,
    output: route.output ?? null,
    summary: route.summary,
    ...(route.media === undefined ? {} : { media: route.media }),
    ...(route.anyBody === undefined ? {} : { anyBody: route.anyBody }),
    status: route.status ?? 200,
    handle: (call, services) => {
      if (!call.caller) throw new Error(`${route.path} was reached without a caller.`);
      return handler({ ...call, caller: call.caller, body: parsedBody<Input>(call.body) }, services);
    },
  };
}

/** A route for which nobody needs a credential: health, readiness, the description of the API. */
export const defineOpenRoute = (route: {
  readonly path: string;
  readonly summary: string;
  readonly handler: (services: PlaneServices) => Promise<Result<unknown>>;
}): Route => ({
  method: 'GET',
  path: route.path,
  credential: 'none',
  input: null,
  output: null,
  summary: route.summary,
  status: 200,
  handle: (_call, services) => route.handler(services),
});

/** Faults of a schema as issues with a path, all at once. */
export const issuesOf = (error: z.ZodError): NonNullable<Fault['issues']> =>
  error.issues.map((issue) => ({
    path: issue.path.map(String).join('.'),
    message: issue.code === 'unrecognized_keys' ? `Unknown field ${issue.keys.join(', ')}.` : issue.message,
    ...(issue.code === 'unrecognized_keys' ? { fix: 'Leave it out: unknown fields are refused, never ignored.' } : {}),
  }));
