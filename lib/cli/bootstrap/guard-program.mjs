import fs from 'node:fs';
import { fingerprint, present } from './fingerprint.mjs';
import { inRoot } from './paths.mjs';

const program = '.build/guard.mjs';
const stamp = '.build/guard.stamp.json';

/** Writes down what the `guard` program was bundled from (esbuild's metafile), so that one look at a few files says whether it is current. */
export function stampGuardProgram(metafile) {
  const inputs = Object.keys(metafile.outputs[program]?.inputs ?? {}).sort();
  fs.writeFileSync(inRoot(stamp), JSON.stringify({ inputs, fingerprint: fingerprint(inputs) }));
}

/**
 * Absolute path of the `guard` program, or undefined when it has to be bundled first. Agents call it as users who may write nothing here:
 * they get what stands there, and no set-up; whoever may write gets what belongs to the files as they are.
 */
export function guardProgram() {
  if (!fs.existsSync(inRoot(program))) return undefined;
  return isCurrent() || !isWritable() ? inRoot(program) : undefined;
}

function isCurrent() {
  if (!fs.existsSync(inRoot(stamp))) return false;
  const { inputs, fingerprint: wanted } = JSON.parse(fs.readFileSync(inRoot(stamp), 'utf8'));
  return present(...inputs).length === inputs.length && fingerprint(inputs) === wanted;
}

export function isWritable() {
  try {
    fs.accessSync(inRoot(), fs.constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
