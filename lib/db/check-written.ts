import type pg from 'pg';

import { provenances, type ContextEntry } from '@/lib/context/entry';
import { writtenBits } from '@/lib/context/written-values';
import { erasedText } from '@/lib/ports/erasure-store';
import type { WrittenResource } from '@/lib/ports/session-store';
import type { WorkspaceId } from '@/lib/shared/ids';

import { readEntryRow } from './entry-row';
import { int, text, UnreadableRow, type Row } from './columns';
import { effectsText, readFamilyPermits } from './family-permits';
import { readWritten, whatIsLaidDown } from './written-resources';
import { valuesLaidDown } from './written-values';

const batchRows = 500;

/**
 * What sessions left on resources, and the permits of families, follow from the context entries: compares the one with the other, and
 * gives the first thing that is missing or was made better. Undefined: everything is there. Reads with the caller's transaction.
 */
export async function checkWritten(client: pg.ClientBase, workspace: WorkspaceId): Promise<string | undefined> {
  let after: readonly [session: string, seq: number] = ['', 0];
  for (;;) {
    const sql = `SELECT "session_id", "seq", "hash", "body" FROM "context_entries" WHERE "workspace_id" = $1 AND ("session_id", "seq") > ($2, $3)
      ORDER BY "session_id", "seq" LIMIT ${String(batchRows)}`;
    const rows = (await client.query<Record<string, unknown>>(sql, [workspace, ...after])).rows;
    const last = rows.at(-1);
    if (!last) return undefined;
    const entries = readAll(rows);
    if (typeof entries === 'string') return entries;
    const wrong =
      (await checkLaidDown(client, workspace, entries)) ?? (await checkValues(client, workspace, entries)) ?? (await checkNumbered(client, workspace, entries));
    if (wrong !== undefined) return wrong;
    after = [text(last['session_id']), int(last['seq'])];
  }
}

function readAll(rows: readonly Row[]): Placed | string {
  const entries: (Placed[number])[] = [];
  for (const row of rows) {
    if (row['body'] === erasedText) continue;
    try {
      entries.push({ session: text(row['session_id']) as WrittenResource['session'], ...readEntryRow(row) });
    } catch (error) {
      // A body that is no entry at all was written by another program: that is what is looked for here.
      if (error instanceof UnreadableRow || error instanceof SyntaxError) return `Entry ${String(row['seq'])} of ${String(row['session_id'])} cannot be read: ${error.message}`;
      throw error;
    }
  }
  return entries;
}

type Placed = Parameters<typeof whatIsLaidDown>[0];

async function checkLaidDown(client: pg.ClientBase, workspace: WorkspaceId, entries: Placed): Promise<string | undefined> {
  const wanted = whatIsLaidDown(entries);
  const found = new Map((await readWritten(client, workspace, [...wanted.keys()])).map((row) => [row.key, row]));
  for (const { key, labels, origin } of wanted.values()) {
    const row = found.get(key);
    if (!row) return `Nothing is known of ${key}, which a session wrote.`;
    const lost = labels.find((label) => !row.labels.includes(label));
    if (lost !== undefined) return `${key} has lost the label ${lost}.`;
    if (provenances.indexOf(row.origin) < provenances.indexOf(origin)) return `${key} is more trusted (${row.origin}) than what was written to it (${origin}).`;
  }
  return undefined;
}

async function checkValues(client: pg.ClientBase, workspace: WorkspaceId, entries: Placed): Promise<string | undefined> {
  const wanted = valuesLaidDown(entries);
  if (wanted.length === 0) return undefined;
  const sql = `SELECT r."key" FROM unnest($2::text[], $3::text[]) AS r("key", "hex") LEFT JOIN "written_values" AS w ON w."workspace_id" = $1 AND w."key" = r."key"
    WHERE w."bits" IS NULL OR (w."bits" & ('x' || r."hex")::bit(${String(writtenBits)})) <> ('x' || r."hex")::bit(${String(writtenBits)}) LIMIT 1`;
  const { rows } = await client.query<Record<string, unknown>>(sql, [workspace, wanted.map(({ key }) => key), wanted.map(({ hex }) => hex)]);
  return rows[0] && `Values that a session wrote to ${text(rows[0]['key'])} are missing.`;
}

async function checkNumbered(client: pg.ClientBase, workspace: WorkspaceId, entries: Placed): Promise<string | undefined> {
  for (const { session, entry } of entries) {
    const family = familyIn(entry);
    if (!family || entry.kind !== 'permit') continue;
    const [row] = await readFamilyPermits(client, workspace, family.root, family.n - 1, 1);
    if (row?.n !== family.n || row.session !== session || row.prior.action !== entry.action) return `Permit ${String(family.n)} of the family of ${family.root} is missing.`;
    if (effectsText(row.prior) !== effectsText(entry)) return `Permit ${String(family.n)} of the family of ${family.root} did something else than is written of it.`;
  }
  return undefined;
}

const familyIn = (entry: ContextEntry) => (entry.kind === 'permit' ? entry.family : undefined);
