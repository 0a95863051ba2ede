import { readIfThere, writeWhole } from '@/lib/server/whole-file';

/** Replaces a file whole, readable for its owner alone. */
export const writePrivateFile = (file: string, text: string): Promise<void> => writeWhole(file, text, 0o600);

/** What the file holds; made and kept when there is none, so that every later start finds the same. */
export async function keptIn(file: string, make: () => string): Promise<string> {
  const kept = await readIfThere(file);
  if (kept !== undefined) return kept;
  const made = make();
  await writePrivateFile(file, made);
  return made;
}
