import fs from 'node:fs';
import path from 'node:path';

/**
 * The folder that holds `policies/`, `prisma/` and `public/`. Programs run bundled from `.build/`, tests from the sources and the console
 * from where it was started, so the folder is looked for upwards from this file, then from the working directory.
 */
export function projectRoot(): string {
  const found = [import.meta.dirname, process.cwd()].flatMap(upwards).find(isRoot);
  if (found === undefined) throw new Error('The folder of Countersign cannot be found from here');
  return found;
}

function upwards(folder: string | undefined): string[] {
  if (folder === undefined) return [];
  const parent = path.dirname(folder);
  return parent === folder ? [folder] : [folder, ...upwards(parent)];
}

function isRoot(folder: string): boolean {
  return fs.existsSync(path.join(folder, 'package.json')) && fs.existsSync(path.join(folder, 'prisma', 'schema.prisma'));
}
