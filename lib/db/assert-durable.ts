import type pg from 'pg';

import { text } from './columns';

/** Settings without which a committed transaction can be lost, and with it a receipt whose answer has left. */
const needed = ['fsync', 'synchronous_commit', 'full_page_writes'] as const;

/** Throws when the database would answer COMMIT before the transaction is safe on disk. Asked before the first answer leaves. */
export async function assertDurable(pool: pg.Pool): Promise<void> {
  const { rows } = await pool.query<Record<string, unknown>>(
    `SELECT name, setting FROM pg_settings WHERE name = ANY($1::text[]) AND setting = 'off' ORDER BY name`,
    [needed],
  );
  if (rows.length === 0) return;
  const names = rows.map((row) => text(row['name'])).join(', ');
  throw new Error(`The database runs with ${names} off: it can lose what it has committed. Turn on ${names} and start again.`);
}
