import type pg from 'pg';

import { big, text } from './columns';

/** Name and length of each log in the database. */
export async function stateOfWorkspaces(pool: pg.Pool): Promise<readonly { readonly name: string; readonly size: bigint }[]> {
  const sql = `SELECT w."name", h."size" FROM "workspaces" AS w JOIN "ledger_heads" AS h ON h."workspace_id" = w."id"`;
  const { rows } = await pool.query<Record<string, unknown>>(sql);
  return rows.map((row) => ({ name: text(row['name']), size: big(row['size']) }));
}
