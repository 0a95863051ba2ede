import path from 'node:path';
import { parseArgs } from 'node:util';
import { planeUrl, productPlan, type Mode } from '@/lib/cli/supervisor/product-plan';
import { generatedSecret, prepareStateDirectory } from '@/lib/cli/supervisor/state-directory';
import { stopSignal } from '@/lib/cli/supervisor/stop-signal';
import { supervise } from '@/lib/cli/supervisor/supervise';
import { untilPortFree } from '@/lib/cli/supervisor/until-port-free';
import { parseEnvironment, type Environment } from '@/lib/server/env';
import { projectRoot } from '@/lib/server/project-root';

const write = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

async function main(): Promise<void> {
  const mode = parseMode(process.argv.slice(2));
  const settings = parseEnvironment(
    mode === 'demo' ? { ...process.env, COUNTERSIGN_STATE: process.env['COUNTERSIGN_STATE'] || '.countersign-demo' } : process.env,
  );
  const signal = stopSignal(write);
  prepareStateDirectory(settings.stateDirectory);
  await untilPortFree(settings.host, settings.consolePort, 'PORT');
  await untilPortFree(settings.host, settings.planePort, 'PLANE_PORT');
  const root = projectRoot();
  await supervise(
    {
      ...productPlan(mode, settings, settings.sessionSecret ?? generatedSecret(settings.stateDirectory, 'session-secret')),
      root,
      stateDirectory: settings.stateDirectory,
      databaseUrl: settings.databaseUrl,
      migrations: path.join(root, 'prisma', 'migrations'),
      write,
      ready: () => {
        announce(settings);
      },
    },
    signal,
  );
}

function parseMode(args: string[]): Mode {
  const { values } = parseArgs({ args, options: { demo: { type: 'boolean' }, dev: { type: 'boolean' } } });
  return values.demo ? 'demo' : values.dev ? 'dev' : 'start';
}

function announce(settings: Environment): void {
  write('');
  write(`  Console         ${settings.consoleUrl}`);
  write(`  Decision plane  ${planeUrl(settings)}`);
  write(`  State           ${settings.stateDirectory}`);
  write('  Ctrl-C stops everything.');
  write('');
}

function reasons(error: unknown): string[] {
  if (!(error instanceof Error)) return [String(error)];
  return error.cause === undefined ? [error.message] : [error.message, ...reasons(error.cause)];
}

main().then(
  () => process.exit(0),
  (error: unknown) => {
    process.stderr.write(`\n${reasons(error).join('\n  because: ')}\n`);
    process.exit(1);
  },
);
