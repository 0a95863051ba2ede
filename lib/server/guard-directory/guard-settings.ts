import path from 'node:path';

import { isName } from '@/lib/shared/ids';

export type AttachedGuard = { readonly name: string; readonly path: string };

/** Directories that one console watches at most. */
const most = 20;

/**
 * `COUNTERSIGN_GUARD_DIRS`: `name=/absolute/path`, separated by commas. Gives what is wrong as text: a console must not start with half of
 * what it was told to guard.
 */
export function guardSettings(text: string | undefined): readonly AttachedGuard[] | string {
  const entries = (text ?? '').split(',').map((entry) => entry.trim()).filter((entry) => entry !== '');
  const attached = entries.map((entry) => ({ name: entry.slice(0, Math.max(0, entry.indexOf('='))), path: entry.slice(entry.indexOf('=') + 1) }));
  const odd = attached.find(({ name, path: at }) => !isName(name) || !path.isAbsolute(at) || path.normalize(at) !== at);
  if (odd) return `each must be name=/absolute/path, separated by commas; "${odd.name}=${odd.path}" is not`;
  for (const key of ['name', 'path'] as const) if (new Set(attached.map((one) => one[key])).size < attached.length) return `two have the same ${key}`;
  return attached.length > most ? `at most ${String(most)} can be attached` : attached;
}
