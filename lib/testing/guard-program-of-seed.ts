import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

const seeds = path.resolve(import.meta.dirname, '../../../shared/seeds');

export type SeedProgram = { readonly source: string; readonly python: string };

/** The program of another hand that the format of guard directories comes from, out of the document that holds it; or why it cannot be run here. */
export function guardProgramOfSeed(): SeedProgram | string {
  const name = fs.existsSync(seeds) ? fs.readdirSync(seeds).find((file) => file.startsWith('002_')) : undefined;
  if (name === undefined) return '../shared/seeds is not there';
  const text = fs.readFileSync(path.join(seeds, name), 'utf8');
  const [begin, end] = [text.indexOf('#!/usr/bin/env python3'), text.indexOf('sys.exit(main())')];
  if (begin < 0 || end < 0) return 'the document holds no program';
  // Shims of version managers stand in folders of one user; the interpreter itself is asked where it is.
  const found = spawnSync('python3', ['-c', 'import sys; print(sys.executable)'], { encoding: 'utf8' });
  const python = ['/usr/bin/python3', found.status === 0 ? found.stdout.trim() : ''].find((one) => one !== '' && fs.existsSync(one));
  return python === undefined ? 'there is no python3' : { source: text.slice(begin, end + 'sys.exit(main())'.length) + '\n', python };
}
