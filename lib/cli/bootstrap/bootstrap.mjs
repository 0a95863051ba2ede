import { buildConsole } from './build-console.mjs';
import { bundlePrograms } from './bundle.mjs';
import { bundleVerifier } from './bundle-verifier.mjs';
import { generateClient } from './generate.mjs';
import { withLock } from './lock.mjs';
import { installPackages } from './packages.mjs';

/** Oldest version of Node that this code and its packages run on. */
const needed = [20, 19];

/**
 * Brings a fresh clone, or one whose files changed, to where a command can run: packages, database client, bundles and, if asked for,
 * the console. Each step is skipped when nothing it depends on changed. Uses Node alone until the packages are there.
 */
export async function bootstrap({ console: withConsole = false } = {}) {
  refuseOldNode();
  await withLock(async () => {
    await installPackages();
    await generateClient();
    await bundlePrograms();
    await bundleVerifier();
    if (withConsole) await buildConsole();
  });
}

function refuseOldNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > needed[0] || (major === needed[0] && minor >= needed[1])) return;
  process.stderr.write(`Countersign needs Node ${needed.join('.')} or newer; this is ${process.versions.node}.\n`);
  process.exit(1);
}
