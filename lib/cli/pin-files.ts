import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';

import { parsePin } from '@/lib/authority/parse-pin';
import type { Pin } from '@/lib/authority/pins';

/** The pins of a state directory by file: what each of its processes has served. Throws when one cannot be read: a damaged one is not none. */
export async function readPinFiles(stateDirectory: string): Promise<readonly { readonly name: string; readonly pin: Pin }[]> {
  const names = (await readdir(stateDirectory)).filter((name) => /^pin(\.[a-z]+)?\.json$/.test(name)).sort();
  return await Promise.all(
    names.map(async (name) => {
      const pin = parsePin(await readFile(path.join(stateDirectory, name), 'utf8'));
      if (!pin.ok) throw new Error(`${name}: ${pin.error.detail}`, { cause: pin.error.cause });
      return { name, pin: pin.value };
    }),
  );
}
