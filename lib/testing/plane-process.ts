import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import path from 'node:path';

import type { TestPlane } from './plane-fixture';

export type PlaneProcess = { readonly pid: number; readonly url: string; stop(): Promise<void> };

/** A thread inherits the flags of its process, but there this loader of sources has to be asked for by name. */
const inThreads = `data:text/javascript,${encodeURIComponent(
  `import { isMainThread } from 'node:worker_threads'; import { register } from ${JSON.stringify(import.meta.resolve('tsx/esm/api'))}; if (!isMainThread) register();`,
)}`;

/** A plane as `countersign plane` runs it: an operating-system process of its own, on the database and state of another. */
export async function startPlaneProcess({ databaseUrl, stateDirectory }: TestPlane, settings: Readonly<Record<string, string>> = {}): Promise<PlaneProcess> {
  const port = await freePort();
  const child = fork(path.resolve(import.meta.dirname, '../plane/main.ts'), [], {
    execArgv: ['--import', 'tsx', '--import', inThreads],
    env: { ...process.env, DATABASE_URL: databaseUrl, COUNTERSIGN_STATE: stateDirectory, HOST: '127.0.0.1', PLANE_PORT: String(port), ...settings },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  let said = '';
  child.stderr?.on('data', (chunk: Buffer) => (said += chunk.toString('utf8')));
  const stop = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGTERM');
    await once(child, 'exit');
  };
  const url = `http://127.0.0.1:${String(port)}`;
  for (let left = 600; child.exitCode === null && left > 0; left--) {
    const answer = await fetch(`${url}/readyz`).catch(() => null);
    if (answer?.ok === true && child.pid !== undefined) return { pid: child.pid, url, stop };
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  await stop();
  throw new Error(`The plane did not come up: ${said}`);
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
