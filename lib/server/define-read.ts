import type { NextRequest } from 'next/server';
import type { z } from 'zod';

import { can } from '@/lib/auth/viewer-of';
import type { Permission } from '@/lib/authority/roles';
import type { Viewer } from '@/lib/contracts/console/viewer';
import type { ConsoleParts } from '@/lib/services/console/console-parts';
import { err, fail, type Result } from '@/lib/shared/result';

import { getViewer } from './get-viewer';
import { parseInput } from './parse-input';
import { runtimeOrFault } from './runtime-or-fault';
import { faultOfThrown, faultResponse } from './shown-fault';

type RouteContext = { readonly params: Promise<Readonly<Record<string, string | string[] | undefined>>> };

export type Read<Input, Output> = {
  /** For server components: the same checks, the same answer. */
  readonly read: (input: Input) => Promise<Result<Output>>;
  /** The route handler: search parameters and the path's own are the input. */
  readonly GET: (request: NextRequest, context: RouteContext) => Promise<Response>;
};

/** A read for pages and React Query: authenticates, checks the permission, parses, calls one service, maps errors. */
export function defineRead<Schema extends z.ZodType, Output>(definition: {
  readonly permission: Permission | readonly Permission[];
  readonly input: Schema;
  readonly handler: (context: { readonly viewer: Viewer; readonly parts: ConsoleParts }, input: z.output<Schema>) => Promise<Result<Output>>;
}): Read<z.input<Schema>, Output> {
  const answer = async (raw: unknown): Promise<Result<Output>> => {
    const runtime = await runtimeOrFault();
    if (!runtime.ok) return runtime;
    const { parts, logger } = runtime.value;
    // Outside the catch: Next signals by throwing when a page turns out to be dynamic.
    const viewer = await getViewer();
    if (!viewer) return fail('sign_in_needed', 'Your session has ended, or there was none.', { fix: 'Sign in.' });
    if (!can(viewer, definition.permission)) return fail('forbidden', 'Your roles do not include this.');
    const input = parseInput(definition.input, raw);
    if (!input.ok) return input;
    return await definition.handler({ viewer, parts }, input.value).catch((cause: unknown) => err(faultOfThrown(cause, logger, 'a read')));
  };
  return {
    read: answer,
    GET: async (request, context) => {
      const query = Object.fromEntries(request.nextUrl.searchParams);
      const result = await answer({ ...query, ...(await context.params) });
      return result.ok ? Response.json(result.value, { headers: { 'cache-control': 'no-store' } }) : faultResponse(result.error);
    },
  };
}
