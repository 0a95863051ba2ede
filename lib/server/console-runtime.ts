import type { NextAuthOptions } from 'next-auth';

import { authOptions } from '@/lib/auth/auth-options';
import { signInLimits } from '@/lib/auth/sign-in-limits';
import { createPool } from '@/lib/db/pool';
import { openWorkspace } from '@/lib/db/workspaces';
import type { ConsoleParts } from '@/lib/services/console/console-parts';

import { environment, type Environment } from './env';
import { followGuards } from './guard-directory/follow-guards';
import { joinConsoleParts } from './join-console-parts';
import { notifiersOf } from './notices/notifiers';
import { keepNotifying } from './notices/notifying';
import { createLogger, type Logger } from './logger';
import { keepProving } from './proving';
import { randomIds } from './random-ids';
import { ownServiceKeys } from './service-keys';
import { keepShadowing } from './shadowing';

export type ConsoleRuntime = { readonly parts: ConsoleParts; readonly auth: NextAuthOptions; readonly logger: Logger; readonly stop: () => Promise<void> };

const slot = Symbol.for('countersign.console-runtime');
type Holder = typeof globalThis & { [slot]?: Promise<ConsoleRuntime> | undefined };

/**
 * The console's parts, joined once a process. Kept on the global object because Next loads this module several times,
 * once for pages, once for routes, once for instrumentation, and each would open a pool of its own.
 */
export function consoleRuntime(): Promise<ConsoleRuntime> {
  if (process.env['NEXT_PHASE'] === 'phase-production-build') throw new Error('A page asks for the database while it is being built: it must be rendered per request.');
  const holder: Holder = globalThis;
  holder[slot] ??= startConsole(environment()).catch((cause: unknown) => {
    // The next request tries again: a database that was down at the start is no reason to stay down.
    holder[slot] = undefined;
    throw cause;
  });
  return holder[slot];
}

async function startConsole(settings: Environment): Promise<ConsoleRuntime> {
  const logger = createLogger('console', { level: settings.logLevel });
  if (settings.databaseUrl === undefined) throw new Error('DATABASE_URL is not set.');
  const pool = createPool({ url: settings.databaseUrl, max: 10, onIdleError: (cause) => logger.warn('a database connection broke', { cause }) });
  const workspace = await openWorkspace(pool, randomIds().make('workspace'), 'default');
  const keys = await ownServiceKeys(settings.stateDirectory, 'console', settings.consoleKey);
  const parts = await joinConsoleParts({ settings, pool, workspace, keys, pinsOf: 'console' });
  const stopLooking = keepLooking(parts, logger);
  const stopFollowing = followGuards(parts, logger);
  const proofs = keepProving(parts, logger);
  const shadows = keepShadowing(parts, logger);
  const notices = keepNotifying({ ...parts, notifiers: notifiersOf(settings.notices), ends: settings.notices.ends, consoleUrl: settings.consoleUrl }, logger);
  return {
    parts,
    auth: authOptions({ ...parts, limits: signInLimits(), report: (cause) => logger.error('signing in failed', { cause }) }),
    logger,
    stop: async () => {
      stopLooking();
      stopFollowing();
      await Promise.all([proofs.stop(), shadows.stop(), notices.stop()]);
      await pool.end();
    },
  };
}

/** How often the authority in force is looked at all the same, and how often whether it changed unheard of, milliseconds. */
const lookMs = 10_000;
const epochMs = 1000;

/** Looks at what is in force whenever the epoch rises, after every gap in listening, and now and then all the same. */
function keepLooking({ events, inForce, log }: Pick<ConsoleParts, 'events' | 'inForce' | 'log'>, logger: Logger): () => void {
  const look = (): void => {
    inForce.refresh().catch((cause: unknown) => logger.error('looking at what is in force failed', { cause }));
  };
  const stop = events.subscribe(({ kind }) => {
    if (kind === 'epoch_raised') look();
  }, look);
  // What no event told of, because the connection that listens was down, is known a second later all the same.
  const compare = async (): Promise<void> => {
    if ((await log.head()).epoch !== (await inForce.current()).epoch) look();
  };
  const timers = [setInterval(look, lookMs), setInterval(() => void compare().catch((cause: unknown) => logger.warn('the epoch could not be read', { cause })), epochMs)];
  for (const timer of timers) timer.unref();
  look();
  return () => {
    for (const timer of timers) clearInterval(timer);
    stop();
  };
}
