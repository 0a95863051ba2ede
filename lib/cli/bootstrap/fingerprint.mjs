import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { inRoot } from './paths.mjs';

/** Digest of names and contents, so that a step is repeated when, and only when, one of its inputs changed. */
export function fingerprint(files, ...more) {
  const hash = createHash('sha256');
  for (const file of files)
    hash
      .update(`${file}\0`)
      .update(fs.readFileSync(inRoot(file)))
      .update('\0');
  for (const text of more) hash.update(`${text}\0`);
  return hash.digest('hex');
}

/** Files below a folder, sorted, without generated code and tests: they change no product. Missing folders are empty. */
export function filesBelow(folder) {
  if (!fs.existsSync(inRoot(folder))) return [];
  return fs
    .readdirSync(inRoot(folder), { withFileTypes: true })
    .flatMap((entry) => {
      const name = path.posix.join(folder, entry.name);
      if (entry.isDirectory()) return entry.name === 'generated' || entry.name === 'testing' ? [] : filesBelow(name);
      return /\.(test|itest|spec)\.tsx?$/.test(entry.name) ? [] : [name];
    })
    .sort();
}

/** Those of the files that exist. */
export const present = (...files) => files.filter((file) => fs.existsSync(inRoot(file)));

export const isStamped = (stamp, value) => fs.existsSync(inRoot(stamp)) && fs.readFileSync(inRoot(stamp), 'utf8') === value;

export function writeStamp(stamp, value) {
  fs.mkdirSync(path.dirname(inRoot(stamp)), { recursive: true });
  fs.writeFileSync(inRoot(stamp), value);
}
