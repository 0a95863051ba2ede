import { filesBelow, fingerprint, isStamped, present, writeStamp } from './fingerprint.mjs';
import { log } from './log.mjs';
import { schemaFingerprint } from './generate.mjs';
import { mustRun } from './run.mjs';

const stamp = '.next/.countersign-build';
const settings = ['next.config.ts', 'tsconfig.json', 'postcss.config.mjs', 'proxy.ts', 'instrumentation.ts'];

/** Builds the console when something it is made of changed. */
export async function buildConsole() {
  const sources = ['app', 'components', 'lib', 'public'].flatMap(filesBelow);
  const wanted = fingerprint([...sources, ...present(...settings)], schemaFingerprint());
  if (isStamped(stamp, wanted)) return;
  log('building the console');
  await mustRun(process.execPath, ['node_modules/next/dist/bin/next', 'build'], { env: { NODE_ENV: 'production' } });
  writeStamp(stamp, wanted);
}
