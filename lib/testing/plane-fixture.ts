import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import os from 'node:os';
import path from 'node:path';

import { createStores, type Stores } from '@/lib/db/create-stores';
import { createPool } from '@/lib/db/pool';
import { openWorkspace } from '@/lib/db/workspaces';
import { planeListener } from '@/lib/plane/listener';
import { generateKey, type SigningKey } from '@/lib/server/ed25519';
import { parseEnvironment } from '@/lib/server/env';
import { filePinStore } from '@/lib/server/file-pin-store';
import { createLogger } from '@/lib/server/logger';
import { nodeSha256 } from '@/lib/server/node-sha256';
import { startPlane } from '@/lib/server/plane-runtime';
import { randomIds } from '@/lib/server/random-ids';
import { ownServiceKey } from '@/lib/server/service-keys';
import { provisionWorkspace, type Provision, type Provisioned } from '@/lib/services/provision-workspace';
import { receiptSigner } from '@/lib/services/sign-receipt';
import { toBase64 } from '@/lib/shared/encoding';
import type { PersonId, WorkspaceId } from '@/lib/shared/ids';
import type { PublicKeyEntry } from '@/lib/shared/keys';

import { createTestDatabase } from './database';

/** The body is whatever JSON came: tests compare it, nothing trusts it. */
export type PlaneAnswer = { readonly status: number; readonly body: Awaited<ReturnType<Response['json']>> };

export type TestPlane = {
  readonly url: string;
  readonly workspace: WorkspaceId;
  readonly stores: Stores;
  readonly stateDirectory: string;
  readonly databaseUrl: string;
  readonly owner: SigningKey;
  readonly provisioned: Provisioned;
  /** Of `people`, by the name before the @. */
  readonly personOf: (who: string) => PersonId;
  readonly token: (subject: string) => string;
  readonly call: (token: string | null, method: string, path: string, body?: unknown, headers?: Record<string, string>) => Promise<PlaneAnswer>;
  readonly openSession: (request: string, agent?: string) => Promise<string>;
  readonly log: readonly string[];
  /** A further plane on the same database and state; settings that differ from the first one's, and the file of a commit thread if it has one. */
  readonly another: (
    differing?: Readonly<Record<string, string>>,
    commitThread?: URL,
  ) => Promise<{ readonly url: string; readonly stop: () => Promise<void>; readonly commitsEnded: Promise<void> }>;
  /** Ends the first plane alone, as a crash would: what was begun goes on when `another` starts. */
  readonly end: () => Promise<void>;
  readonly stop: () => Promise<void>;
};

export const listedFile = (key: SigningKey): PublicKeyEntry => ({ id: key.id, kind: 'file-ed25519', public_key: toBase64(key.publicKey) });

const people: Provision['people'] = [
  { name: 'Olga Owner', email: 'owner@harbor.example', roles: ['owner'], groups: [], passwordHash: null },
  { name: 'Ada Admin', email: 'admin@harbor.example', roles: ['admin'], groups: [], passwordHash: null },
  { name: 'Abe Approver', email: 'approver@harbor.example', roles: ['approver'], groups: ['approver', 'data-owner'], passwordHash: null },
  { name: 'Bea Second', email: 'second@harbor.example', roles: ['approver'], groups: ['approver', 'data-owner'], passwordHash: null },
  { name: 'Rita Requester', email: 'requester@harbor.example', roles: ['requester'], groups: [], passwordHash: null },
];

/** A plane on a database of its own, with people, an owner key, and a credential of each kind. */
export async function startTestPlane(policy: string, more: Partial<Provision> = {}, settings: Readonly<Record<string, string>> = {}): Promise<TestPlane> {
  const database = await createTestDatabase();
  const stateDirectory = await mkdtemp(path.join(os.tmpdir(), 'countersign-plane-'));
  const log: string[] = [];
  const pool = createPool({ url: database.url, max: 4, onIdleError: () => undefined });
  const ids = randomIds();
  const workspace = await openWorkspace(pool, ids.make('workspace'), 'test');
  const stores = createStores(pool, workspace);
  const owner = generateKey();
  const consoleKey = await ownServiceKey(stateDirectory, 'console');
  const planeKey = await ownServiceKey(stateDirectory, 'plane');
  const provisioned = await provisionWorkspace(
    {
      workspace, ...stores, ids, sha256: nodeSha256,
      pins: filePinStore({ stateDirectory, role: 'console', rootPin: undefined }),
      sign: receiptSigner({ workspace, sha256: nodeSha256, signer: consoleKey.signer, ids }),
    },
    {
      people,
      owner: { key: listedFile(owner), signer: owner.signer },
      recovery: listedFile(generateKey()),
      services: [
        { key: listedFile(consoleKey), role: 'console', from: 0 },
        { key: listedFile(planeKey), role: 'plane', from: 0 },
      ],
      policy: { text: policy, format: 'yaml' },
      agents: [
        { id: 'helper', role: 'assistant', scope: [], registeredBy: 'admin@harbor.example' },
        { id: 'stranger', role: 'assistant', scope: [], registeredBy: 'admin@harbor.example' },
        { id: 'explainer', role: 'assistant', scope: [], registeredBy: 'admin@harbor.example', scopes: ['explain'] },
      ],
      vouching: [
        { kind: 'orchestrator', subject: 'desk', scope: { humans: ['requester@harbor.example'], attributes: ['owner'] } },
        { kind: 'enforcement_point', subject: 'gate', scope: { agents: ['helper'] } },
        { kind: 'information_point', subject: 'records', scope: { attributes: ['owner'] } },
      ],
      days: 30,
      ...more,
    },
    new Date().toISOString(),
  );
  const logger = createLogger('plane', { level: 'warn', write: (line) => log.push(line) });
  const start = async (differing: Readonly<Record<string, string>> = {}, commitThread?: URL) => {
    const environment = parseEnvironment({ DATABASE_URL: database.url, COUNTERSIGN_STATE: stateDirectory, ...settings, ...differing });
    const runtime = await startPlane(environment, logger, commitThread);
    const server = planeListener(runtime.services, (cause, context) => logger.error('a call could not be served', { cause, ...context }));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const stop = async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await runtime.stop();
    };
    return { url: `http://127.0.0.1:${port}`, stop, commitsEnded: runtime.commitsEnded };
  };
  const first = await start();
  let ended: Promise<void> | null = null;
  const end = () => (ended ??= first.stop());
  const personOf = (who: string): PersonId => {
    const found = provisioned.people.get(`${who}@harbor.example`);
    if (!found) throw new Error(`No ${who}.`);
    return found;
  };
  const token = (subject: string): string => {
    const found = [...provisioned.agents, ...provisioned.vouching].find((one) => one.subject === subject);
    if (!found) throw new Error(`No credential ${subject}.`);
    return found.token;
  };
  const call: TestPlane['call'] = (bearer, method, where, body, headers = {}) => callPlane(first.url, bearer, method, where, body, headers);
  return {
    url: first.url, workspace, stores, stateDirectory, databaseUrl: database.url, owner, provisioned, personOf, token, call, log, another: start,
    openSession: async (request, agent = 'helper') => {
      const opened = await call(token('desk'), 'POST', '/v1/sessions', { human: 'requester@harbor.example', request, agent });
      if (opened.status !== 201) throw new Error(`No session: ${log.at(-1) ?? ''} ${JSON.stringify(opened.body)}`);
      return opened.body.id as string;
    },
    end,
    stop: async () => {
      await end();
      await pool.end();
      await database.drop();
      await rm(stateDirectory, { recursive: true, force: true });
    },
  };
}

/** One call; the body goes out as JSON, a string as it is. */
export async function callPlane(
  url: string,
  bearer: string | null,
  method: string,
  where: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<PlaneAnswer> {
  const response = await fetch(url + where, {
    method,
    headers: { ...(bearer === null ? {} : { authorization: `Bearer ${bearer}` }), ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  return { status: response.status, body: await response.json() };
}
