import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';

import { readTokens, type DemoCredential } from '@/lib/demo/demo-secrets';
import { setUpDemo } from '@/lib/demo/set-up-demo';
import { planeListener } from '@/lib/plane/listener';
import { parseEnvironment } from '@/lib/server/env';
import { createLogger } from '@/lib/server/logger';
import { startPlane } from '@/lib/server/plane-runtime';
import { projectRoot } from '@/lib/server/project-root';

import { createTestDatabase } from './database';

export type DemoPlane = {
  readonly url: string;
  readonly stateDirectory: string;
  readonly databaseUrl: string;
  readonly credentials: readonly DemoCredential[];
  readonly setUpAgain: () => Promise<'made' | 'found'>;
  readonly log: readonly string[];
  readonly stop: () => Promise<void>;
};

/** The demo, set up as `npm run demo` sets it up, with its plane on a port of its own. */
export async function startDemoPlane(): Promise<DemoPlane> {
  const database = await createTestDatabase();
  const stateDirectory = await mkdtemp(path.join(os.tmpdir(), 'countersign-demo-'));
  const policyText = await readFile(path.join(projectRoot(), 'policies', 'demo.yaml'), 'utf8');
  const setUpAgain = () => setUpDemo({ databaseUrl: database.url, stateDirectory, policyText });
  await setUpAgain();
  const log: string[] = [];
  const logger = createLogger('plane', { level: 'warn', write: (line) => log.push(line) });
  const runtime = await startPlane(parseEnvironment({ DATABASE_URL: database.url, COUNTERSIGN_STATE: stateDirectory }), logger);
  const server = planeListener(runtime.services, (cause, context) => logger.error('a call could not be served', { cause, ...context }));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    stateDirectory,
    databaseUrl: database.url,
    credentials: await readTokens(stateDirectory),
    setUpAgain,
    log,
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await runtime.stop();
      await database.drop();
      await rm(stateDirectory, { recursive: true, force: true });
    },
  };
}
