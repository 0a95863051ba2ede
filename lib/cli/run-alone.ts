import type { Terminal } from '@/lib/cli/command';
import { openDatabase } from '@/lib/cli/open-database';
import { productPlan } from '@/lib/cli/supervisor/product-plan';
import { end, ended, launch } from '@/lib/cli/supervisor/program';
import { generatedSecret, prepareStateDirectory } from '@/lib/cli/supervisor/state-directory';
import { stopSignal } from '@/lib/cli/supervisor/stop-signal';
import { untilPortFree } from '@/lib/cli/supervisor/until-port-free';
import { parseEnvironment } from '@/lib/server/env';
import { projectRoot } from '@/lib/server/project-root';

const graceMs = 8000;

/**
 * Runs one of the two services by itself until it is told to stop, on the database of the settings: one that runs already is used, and
 * goes on after this ends. Nothing restarts the service here; throws with how it ended when it ends by itself.
 */
export async function runAlone(service: 'plane' | 'console', { env, err }: Terminal): Promise<void> {
  const settings = parseEnvironment(env);
  const signal = stopSignal(err);
  prepareStateDirectory(settings.stateDirectory);
  await (service === 'plane' ? untilPortFree(settings.host, settings.planePort, 'PLANE_PORT') : untilPortFree(settings.host, settings.consolePort, 'PORT'));
  const database = await openDatabase(settings.stateDirectory, settings.databaseUrl);
  try {
    const plan = productPlan('start', settings, settings.sessionSecret ?? generatedSecret(settings.stateDirectory, 'session-secret'));
    const program = plan.services.find(({ name }) => name === service);
    if (program === undefined) throw new Error(`The plan has no ${service}.`);
    const child = launch(program, { root: projectRoot(), env: { ...plan.env, DATABASE_URL: database.url }, write: err });
    const stopped = new Promise<null>((resolve) => {
      if (signal.aborted) resolve(null);
      signal.addEventListener('abort', () => {
        resolve(null);
      });
    });
    const how = await Promise.race([ended(child), stopped]);
    if (how !== null) throw new Error(`The ${service} ended by itself (${how}).`);
    await end(child, graceMs);
  } finally {
    await database.close();
  }
}
