import pg from 'pg';

/**
 * What the server does by itself in the course of time, at once: statistics for its plans, and the marks by which an index
 * alone answers. Takes a connection without time limits.
 */
export async function vacuumLog(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query('VACUUM (ANALYZE) "receipts", "receipt_facets", "receipt_spans", "ledger_tiles", "checkpoints"');
  } finally {
    await client.end();
  }
}
