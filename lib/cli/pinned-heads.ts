import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';

import { parsePin } from '@/lib/authority/parse-pin';
import type { Pin } from '@/lib/db/fsck';
import { parseCheckpoint } from '@/lib/ledger/checkpoint';
import { deliveredCheckpoint, webhookStateFile } from '@/lib/server/checkpoint-webhook';
import type { Environment } from '@/lib/server/env';
import { readIfThere } from '@/lib/server/whole-file';
import { fromHex } from '@/lib/shared/encoding';

/**
 * The tree heads that are kept outside the database: what the processes of a state directory have served, and the checkpoints that
 * were exported. Throws when one cannot be read: a damaged one must not count as one that was never there.
 */
export async function readPinnedHeads({ stateDirectory, checkpointFile }: Pick<Environment, 'stateDirectory' | 'checkpointFile'>): Promise<readonly Pin[]> {
  const names = (await namesIn(stateDirectory)).filter((name) => /^pin(\.[a-z]+)?\.json$/.test(name)).sort();
  const pins = await Promise.all(names.map(async (name) => pinOf(name, await readFile(path.join(stateDirectory, name), 'utf8'))));
  const exported = checkpointFile === undefined ? undefined : await readIfThere(checkpointFile);
  const delivered = await deliveredCheckpoint(path.join(stateDirectory, webhookStateFile));
  if (!delivered.ok) throw new Error(delivered.error.detail, { cause: delivered.error.cause });
  return [...pins.flat(), ...headOf('The exported checkpoint', exported ?? null), ...headOf('The delivered checkpoint', delivered.value)];
}

async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder);
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') return [];
    throw cause;
  }
}

function pinOf(name: string, text: string): readonly Pin[] {
  const pin = parsePin(text);
  if (!pin.ok) throw new Error(`${name}: ${pin.error.detail}`, { cause: pin.error.cause });
  if (pin.value.log === null) return [];
  const root = fromHex(pin.value.log.root);
  return root ? [{ size: BigInt(pin.value.log.size), root }] : [];
}

function headOf(what: string, note: string | null): readonly Pin[] {
  if (note === null) return [];
  const head = parseCheckpoint(note);
  if (!head.ok) throw new Error(`${what} cannot be read: ${head.error.detail}`);
  return [{ size: BigInt(head.value.size), root: head.value.root }];
}
