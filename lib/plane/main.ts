import { once } from 'node:events';

import { environment } from '@/lib/server/env';
import { createLogger } from '@/lib/server/logger';
import { startPlane } from '@/lib/server/plane-runtime';

import { planeListener } from './listener';

const settings = environment();
const logger = createLogger('plane', { level: settings.logLevel });
/** Beside this file: bundled in service, as source in tests. */
const commitThread = new URL(import.meta.url.endsWith('.ts') ? './commit-thread.ts' : './commit-thread.mjs', import.meta.url);

try {
  const runtime = await startPlane(settings, logger, commitThread);
  const server = planeListener(runtime.services, (cause, context) => logger.error('a call could not be served', { cause, ...context }));
  server.listen(settings.planePort, settings.host);
  await once(server, 'listening');
  logger.info('listening', { host: settings.host, port: settings.planePort });
  let stopping = false;
  void runtime.commitsEnded.then(() => {
    if (!stopping) fail('the commit thread ended', undefined);
  });
  const stop = async (): Promise<void> => {
    if (stopping) return;
    stopping = true;
    server.close();
    server.closeIdleConnections();
    // Long polls would hold the process for a minute; their callers ask again and lose nothing.
    setTimeout(() => server.closeAllConnections(), 500).unref();
    await once(server, 'close');
    await runtime.stop();
    process.exit(0);
  };
  const stopOrFail = (): void => void stop().catch((cause: unknown) => fail('stopping failed', cause));
  process.once('SIGTERM', stopOrFail);
  process.once('SIGINT', stopOrFail);
} catch (cause) {
  fail('the plane could not start', cause);
}

function fail(message: string, cause: unknown): never {
  logger.error(message, { cause });
  process.exit(1);
}
