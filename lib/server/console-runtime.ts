import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { NextAuthOptions } from 'next-auth';

import { authOptions } from '@/lib/auth/auth-options';
import { scryptPasswords } from '@/lib/auth/scrypt-passwords';
import { signInLimits } from '@/lib/auth/sign-in-limits';
import { createStores } from '@/lib/db/create-stores';
import { createPool } from '@/lib/db/pool';
import { postgresConsoleReads } from '@/lib/db/reads/console-reads';
import { openWorkspace } from '@/lib/db/workspaces';
import { authorityInForce } from '@/lib/services/authority-in-force';
import type { ConsoleParts } from '@/lib/services/console/console-parts';
import { receiptSigner } from '@/lib/services/sign-receipt';
import { toBase64 } from '@/lib/shared/encoding';

import { compilePolicyText } from './compile-policy-text';
import { keyFromPem, verifyEd25519 } from './ed25519';
import { delegatedKeys } from './delegated-keys';
import { environment, type Environment } from './env';
import { filePinStore, setUpPin, writePin } from './file-pin-store';
import { createLogger, type Logger } from './logger';
import { nodeSha256 } from './node-sha256';
import { randomIds } from './random-ids';
import { ownServiceKey } from './service-keys';
import { starterPolicy } from './starter-policy';
import { systemClock } from './system-clock';

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
  const ids = randomIds();
  const workspace = await openWorkspace(pool, ids.make('workspace'), 'default');
  const stores = createStores(pool, workspace);
  const { stateDirectory } = settings;
  const key = await ownServiceKey(stateDirectory, 'console');
  const pins = filePinStore({ stateDirectory, role: 'console', rootPin: settings.rootPin });
  const cryptography = { verify: verifyEd25519, sha256: nodeSha256 };
  const inForce = authorityInForce({ authority: stores.authority, credentials: stores.credentials, pins, cryptography, compile: compilePolicyText });
  const parts: ConsoleParts = {
    ...stores,
    workspace,
    cryptography,
    ids,
    clock: systemClock,
    sign: receiptSigner({ workspace, sha256: nodeSha256, signer: key.signer, ids }),
    passwords: scryptPasswords(),
    compile: compilePolicyText,
    inForce,
    pins,
    pinRoot: (pin) => writePin(path.join(stateDirectory, setUpPin), pin),
    reads: postgresConsoleReads(pool, workspace),
    serviceKeys: () => delegatedKeys(stateDirectory),
    starterPolicy,
    demoOwner: await demoOwner(stateDirectory),
  };
  const stopLooking = keepLooking(parts, logger);
  return {
    parts,
    auth: authOptions({ ...parts, limits: signInLimits(), report: (cause) => logger.error('signing in failed', { cause }) }),
    logger,
    stop: async () => {
      stopLooking();
      await pool.end();
    },
  };
}

/** How often the authority in force is looked at when no event says that it changed, milliseconds. */
const lookMs = 10_000;

/** Looks at what is in force whenever the epoch rises, after every gap in listening, and now and then all the same. */
function keepLooking({ events, inForce }: ConsoleParts, logger: Logger): () => void {
  const look = (): void => {
    inForce.refresh().catch((cause: unknown) => logger.error('looking at what is in force failed', { cause }));
  };
  const stop = events.subscribe(({ kind }) => {
    if (kind === 'epoch_raised') look();
  }, look);
  const timer = setInterval(look, lookMs);
  timer.unref();
  look();
  return () => {
    clearInterval(timer);
    stop();
  };
}

/** The key file that only the demo writes: with it this process countersigns enrolments, and every screen says so. */
async function demoOwner(stateDirectory: string): Promise<ConsoleParts['demoOwner']> {
  let pem: string;
  try {
    pem = await readFile(path.join(stateDirectory, 'demo-owner-key.pem'), 'utf8');
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') return null;
    throw cause;
  }
  const key = keyFromPem(pem);
  return { key: { id: key.id, kind: 'file-ed25519', public_key: toBase64(key.publicKey) }, signer: key.signer };
}
