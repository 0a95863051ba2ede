import fs from 'node:fs';
import path from 'node:path';

import { parsePin } from '@/lib/authority/parse-pin';
import type { Pin } from '@/lib/db/fsck';
import { fromHex } from '@/lib/shared/encoding';

/**
 * The tree heads that the processes of a state directory have served. Throws when a pin cannot be read: a damaged one must not count
 * as one that was never there.
 */
export function readPinnedHeads(stateDirectory: string): readonly Pin[] {
  if (!fs.existsSync(stateDirectory)) return [];
  const names = fs.readdirSync(stateDirectory).filter((name) => /^pin(\.[a-z]+)?\.json$/.test(name));
  return names.sort().flatMap((name) => {
    const pin = parsePin(fs.readFileSync(path.join(stateDirectory, name), 'utf8'));
    if (!pin.ok) throw new Error(`${name}: ${pin.error.detail}`, { cause: pin.error.cause });
    if (pin.value.log === null) return [];
    const root = fromHex(pin.value.log.root);
    return root ? [{ size: BigInt(pin.value.log.size), root }] : [];
  });
}
