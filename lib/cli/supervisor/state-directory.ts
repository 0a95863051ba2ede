import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';

/** Makes the state directory if need be. Only its owner may enter: it holds the database and every generated secret. */
export function prepareStateDirectory(directory: string): void {
  for (const folder of [directory, path.join(directory, 'secrets')]) {
    fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
    fs.chmodSync(folder, 0o700);
  }
}

/**
 * A secret of the state directory, made at first use: 32 random bytes in base64url, in a file only its owner may read.
 *
 * Two processes may ask at once, or one may be killed while it writes: the file appears whole, by a link that fails if it is there.
 */
export function generatedSecret(directory: string, name: string): string {
  const file = path.join(directory, 'secrets', name);
  if (!fs.existsSync(file)) {
    const draft = `${file}.${String(process.pid)}-${randomBytes(4).toString('hex')}`;
    fs.writeFileSync(draft, randomBytes(32).toString('base64url'), { mode: 0o600, flag: 'wx' });
    try {
      fs.linkSync(draft, file);
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    } finally {
      fs.rmSync(draft);
    }
  }
  return fs.readFileSync(file, 'utf8');
}
