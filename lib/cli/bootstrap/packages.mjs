import fs from 'node:fs';
import { fingerprint } from './fingerprint.mjs';
import { log } from './log.mjs';
import { inRoot } from './paths.mjs';
import { mustRun } from './run.mjs';

/** What later steps build on: the packages, and the machine whose binaries they hold. */
export function packagesFingerprint() {
  return fingerprint(['package.json', 'package-lock.json'], `${process.platform}-${process.arch}`);
}

/**
 * Installs the packages of the lock file unless they are there already, whoever installed them. Development and optional ones are asked
 * for by name, because a setting of the user may leave out either, and the tests and the embedded database need them.
 */
export async function installPackages() {
  if (areInstalled()) return;
  log('installing packages');
  const npm = process.env.npm_execpath;
  const [command, ...start] = npm?.endsWith('.js') ? [process.execPath, npm] : ['npm'];
  await mustRun(command, [...start, 'ci', '--include=dev', '--include=optional', '--no-audit', '--no-fund', '--loglevel=error']);
}

/** npm writes a lock file of its own into node_modules as the last step of an installation; an interrupted one leaves none. */
function areInstalled() {
  const wanted = readPackages('package-lock.json');
  const present = readPackages('node_modules/.package-lock.json');
  return Object.entries(wanted).every(([name, entry]) => {
    if (name === '') return true;
    const found = present[name];
    if (found) return found.version === entry.version;
    return Boolean(entry.optional ?? entry.devOptional) && !isForThisMachine(entry);
  });
}

function readPackages(file) {
  if (!fs.existsSync(inRoot(file))) return {};
  return JSON.parse(fs.readFileSync(inRoot(file), 'utf8')).packages;
}

/** Optional packages hold the binaries of one platform each; those without that mark are left out only by choice. */
function isForThisMachine({ os, cpu, libc }) {
  if (!os && !cpu) return false;
  if (libc && !libc.includes(process.report.getReport().header.glibcVersionRuntime ? 'glibc' : 'musl')) return false;
  return (!os || os.includes(process.platform)) && (!cpu || cpu.includes(process.arch));
}
