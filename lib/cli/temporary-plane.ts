import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import os from 'node:os';
import path from 'node:path';

import { openDatabase } from '@/lib/cli/open-database';
import { planeFlags } from '@/lib/cli/plane-flags';
import { createStores } from '@/lib/db/create-stores';
import { createPool } from '@/lib/db/pool';
import { openWorkspace } from '@/lib/db/workspaces';
import { generateKey, type SigningKey } from '@/lib/server/ed25519';
import { filePinStore } from '@/lib/server/file-pin-store';
import { nodeSha256 } from '@/lib/server/node-sha256';
import { projectRoot } from '@/lib/server/project-root';
import { randomIds } from '@/lib/server/random-ids';
import { ownServiceKey } from '@/lib/server/service-keys';
import { provisionWorkspace, type Provision, type Provisioned } from '@/lib/services/provision-workspace';
import { receiptSigner } from '@/lib/services/sign-receipt';
import { toBase64 } from '@/lib/shared/encoding';
import type { PublicKeyEntry } from '@/lib/shared/keys';

export type TemporaryPlane = {
  readonly url: string;
  readonly pid: number;
  readonly databaseUrl: string;
  readonly stateDirectory: string;
  readonly provisioned: Provisioned;
  /** The first person's key. */
  readonly owner: SigningKey;
  readonly token: (subject: string) => string;
  /** Ends the plane and its database and removes the state directory. */
  readonly stop: () => Promise<void>;
};

type Wanted = Omit<Provision, 'owner' | 'recovery' | 'services' | 'days'>;

/** A plane in a process of its own, with these settings beside its own, on an embedded PostgreSQL in a temporary state directory, set up and ready. */
export async function startTemporaryPlane(wanted: Wanted, settings: Readonly<Record<string, string>> = {}): Promise<TemporaryPlane> {
  const stateDirectory = await mkdtemp(path.join(os.tmpdir(), 'countersign-'));
  const database = await openDatabase(stateDirectory, undefined);
  try {
    const owner = generateKey();
    const provisioned = await provision(database.url, stateDirectory, wanted, owner);
    const port = await freePort();
    const child = spawn(process.execPath, [...process.execArgv, ...planeFlags, path.join(projectRoot(), '.build', 'plane.mjs')], {
      env: { ...process.env, ...settings, DATABASE_URL: database.url, COUNTERSIGN_STATE: stateDirectory, PLANE_PORT: String(port), HOST: '127.0.0.1', LOG_LEVEL: 'warn', NODE_ENV: 'production' },
      // Its end of the pipe closes when this process dies, however it dies.
      stdio: ['pipe', 'ignore', 'inherit'],
    });
    const url = `http://127.0.0.1:${String(port)}`;
    await ready(child, `${url}/readyz`);
    const tokens = new Map([...provisioned.agents, ...provisioned.vouching].map(({ subject, token }) => [subject, token]));
    return {
      url,
      pid: child.pid ?? 0,
      databaseUrl: database.url,
      stateDirectory,
      provisioned,
      owner,
      token: (subject) => tokens.get(subject) ?? fail(`There is no credential ${subject}.`),
      stop: async () => {
        const ended = once(child, 'exit');
        child.kill('SIGTERM');
        await ended;
        await database.close();
        await rm(stateDirectory, { recursive: true, force: true });
      },
    };
  } catch (cause) {
    await database.close();
    await rm(stateDirectory, { recursive: true, force: true });
    throw cause;
  }
}

async function provision(url: string, stateDirectory: string, wanted: Wanted, owner: SigningKey): Promise<Provisioned> {
  const pool = createPool({ url, max: 2, onIdleError: () => undefined });
  try {
    const ids = randomIds();
    const workspace = await openWorkspace(pool, ids.make('workspace'), 'temporary');
    const console = await ownServiceKey(stateDirectory, 'console');
    const plane = await ownServiceKey(stateDirectory, 'plane');
    return await provisionWorkspace(
      {
        workspace, ...createStores(pool, workspace), ids, sha256: nodeSha256,
        pins: filePinStore({ stateDirectory, role: 'console', rootPin: undefined }),
        sign: receiptSigner({ workspace, sha256: nodeSha256, signer: console.signer, ids }),
      },
      {
        ...wanted,
        owner: { key: fileKey(owner), signer: owner.signer },
        recovery: fileKey(generateKey()),
        services: [
          { key: fileKey(console), role: 'console', from: 0 },
          { key: fileKey(plane), role: 'plane', from: 0 },
        ],
        days: 1,
      },
      new Date().toISOString(),
    );
  } finally {
    await pool.end();
  }
}

/** A key in a file, as documents list it. */
export const fileKey = (key: SigningKey): PublicKeyEntry => ({ id: key.id, kind: 'file-ed25519', public_key: toBase64(key.publicKey) });

/** A port that was free a moment ago. */
export async function freePort(): Promise<number> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') return fail('A port could not be had.');
  const { port } = address;
  server.close();
  await once(server, 'close');
  return port;
}

/** Until the address answers 200; throws when the process ends before, or after half a minute. */
export async function ready(child: ChildProcess, address: string): Promise<void> {
  for (const until = Date.now() + 30_000; Date.now() < until; await new Promise((resolve) => setTimeout(resolve, 50))) {
    if (child.exitCode !== null) return fail(`The process behind ${address} ended with ${String(child.exitCode)}.`);
    const answer = await fetch(address).catch(() => null);
    if (answer?.ok === true) return;
  }
  return fail(`Nothing answered at ${address}.`);
}

function fail(message: string): never {
  throw new Error(message);
}
