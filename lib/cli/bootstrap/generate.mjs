import { filesBelow, fingerprint, isStamped, present, writeStamp } from './fingerprint.mjs';
import { log } from './log.mjs';
import { packagesFingerprint } from './packages.mjs';
import { mustRun } from './run.mjs';

const stamp = 'lib/db/generated/.stamp';

export function schemaFingerprint() {
  return fingerprint(present('prisma/schema.prisma', 'prisma.config.ts'), packagesFingerprint());
}

/**
 * Generates the database client. Generating needs no engine, but Prisma would try to download one and fail without a network; it
 * takes any program named here for it and never calls it.
 */
export async function generateClient() {
  if (filesBelow('prisma').length === 0) return;
  const wanted = schemaFingerprint();
  if (isStamped(stamp, wanted)) return;
  log('generating the database client');
  const env = { PRISMA_SCHEMA_ENGINE_BINARY: process.platform === 'win32' ? process.execPath : '/bin/true' };
  await mustRun(process.execPath, ['node_modules/prisma/build/index.js', 'generate'], { env });
  writeStamp(stamp, wanted);
}
