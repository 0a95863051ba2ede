import type { z } from 'zod';

import { can } from '@/lib/auth/viewer-of';
import type { Permission } from '@/lib/authority/roles';
import type { ActionResult } from '@/lib/contracts/console/action-result';
import type { Viewer } from '@/lib/contracts/console/viewer';
import type { ConsoleParts } from '@/lib/services/console/console-parts';
import { checkSetUpLink } from '@/lib/services/console/set-up-link';
import { err, fail, type Result } from '@/lib/shared/result';

import { getViewer } from './get-viewer';
import { parseInput } from './parse-input';
import { runtimeOrFault } from './runtime-or-fault';
import { faultOfThrown, shownFault } from './shown-fault';

/** A server action: what it answers whatever it is sent. Anybody can post anything to it, so it believes nothing. */
export type ServerAction<Input, Output> = (input: Input) => Promise<ActionResult<Output>>;

/**
 * Authenticates, checks the permission, parses the input, calls one service, maps errors: in this order, so that nobody
 * without a session learns what an input should look like. Never throws to the client.
 */
export function defineAction<Schema extends z.ZodType, Output>(definition: {
  readonly permission: Permission | readonly Permission[];
  readonly input: Schema;
  readonly handler: (context: { readonly viewer: Viewer; readonly parts: ConsoleParts }, input: z.output<Schema>) => Promise<Result<Output>>;
}): ServerAction<z.input<Schema>, Output> {
  return async (raw) =>
    await answer(async (parts) => {
      const viewer = await getViewer();
      if (!viewer) return fail('sign_in_needed', 'Your session has ended, or there was none.', { fix: 'Sign in.' });
      if (!can(viewer, definition.permission)) return fail('forbidden', 'Your roles do not include this.');
      const input = parseInput(definition.input, raw);
      return input.ok ? await definition.handler({ viewer, parts }, input.value) : input;
    });
}

/** The same for the two actions of a first run, when nobody can have a session: the one-time link stands for it. */
export function defineSetUpAction<Schema extends z.ZodType<{ readonly link: string }>, Output>(definition: {
  readonly input: Schema;
  readonly handler: (parts: ConsoleParts, input: z.output<Schema>) => Promise<Result<Output>>;
}): ServerAction<z.input<Schema>, Output> {
  return async (raw) =>
    await answer(async (parts) => {
      const link: unknown = typeof raw === 'object' && raw !== null && 'link' in raw ? raw.link : undefined;
      const { sha256 } = parts.cryptography;
      const checked = await checkSetUpLink({ ...parts, sha256 }, typeof link === 'string' ? link.slice(0, 200) : '', await parts.reads.now());
      if (!checked.ok) return checked;
      const input = parseInput(definition.input, raw);
      return input.ok ? await definition.handler(parts, input.value) : input;
    });
}

async function answer<Output>(work: (parts: ConsoleParts) => Promise<Result<Output>>): Promise<ActionResult<Output>> {
  const runtime = await runtimeOrFault();
  if (!runtime.ok) return { ok: false, error: shownFault(runtime.error) };
  const { parts, logger } = runtime.value;
  const result = await work(parts).catch((cause: unknown) => err(faultOfThrown(cause, logger, 'a server action')));
  return result.ok ? { ok: true, value: result.value } : { ok: false, error: shownFault(result.error) };
}
