import { writeFile } from 'node:fs/promises';
import path from 'node:path';

import { ownedDatabase } from './owned-database';
import type { Product } from './product';

/**
 * Sets the clocks of this place forward for its next start: the database's, by a function of the same name that is found first, and those
 * of the product's processes. Gives the settings to start it with.
 */
export async function setClocksForward(product: Product, hours: number): Promise<Readonly<Record<string, string>>> {
  const database = await ownedDatabase(product);
  await database.query('CREATE SCHEMA later');
  await database.query(`CREATE FUNCTION later.clock_timestamp() RETURNS timestamptz LANGUAGE sql VOLATILE AS $$ SELECT pg_catalog.clock_timestamp() + interval '${String(hours)} hours' $$`);
  await database.query('ALTER ROLE countersign SET search_path = public, later, pg_catalog');
  await database.end();
  const file = path.join(product.stateDirectory, 'later.cjs');
  await writeFile(
    file,
    `const Before = Date;
const now = () => Before.now() + ${String(hours * 3600_000)};
globalThis.Date = class extends Before { constructor(...given) { if (given.length === 0) super(now()); else super(...given); } static now() { return now(); } static UTC = Before.UTC; static parse = Before.parse; };
`,
  );
  return { NODE_OPTIONS: `--require ${file}` };
}
