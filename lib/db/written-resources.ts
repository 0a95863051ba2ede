import { provenances, type ChainedEntry, type Provenance } from '@/lib/context/entry';
import { keysOfWritten } from '@/lib/context/resources';
import type { WrittenResource } from '@/lib/ports/session-store';
import type { SessionId } from '@/lib/shared/ids';

import { oneOf, text, texts, type Row } from './columns';
import { insertRows } from './insert-rows';
import { insertStatement, rows, statement, type Columns, type Queryable } from './statements';

const writtenColumns = { key: 'text', labels: 'text[]', origin: 'text', session_id: 'text' } as const satisfies Columns;

/** Least trusted last, as in `provenances`. */
const trust = `ARRAY[${provenances.map((one) => `'${one}'`).join(', ')}]`;
const isWorse = `array_position(${trust}, EXCLUDED."origin") > array_position(${trust}, "written_resources"."origin")`;

/** A row changes only when something rises: most writes repeat what is known, and then nothing is written. */
const insertWritten = insertStatement(
  'written_resources',
  writtenColumns,
  `ON CONFLICT ("workspace_id", "key") DO UPDATE SET
     "labels" = ARRAY(SELECT DISTINCT unnest("written_resources"."labels" || EXCLUDED."labels") ORDER BY 1),
     "origin" = CASE WHEN ${isWorse} THEN EXCLUDED."origin" ELSE "written_resources"."origin" END,
     "session_id" = EXCLUDED."session_id"
   WHERE NOT "written_resources"."labels" @> EXCLUDED."labels" OR ${isWorse}`,
);

const findWritten = statement(
  'find_written_resources',
  `SELECT "key", "labels", "origin", "session_id" FROM "written_resources" WHERE "workspace_id" = $1 AND "key" = ANY($2::text[]) ORDER BY "key"`,
);

/** Lays down what the entries wrote. In the entries' own transaction: a write that nobody remembers was never permitted. */
export async function layDown(on: Queryable, workspace: string, entries: readonly (ChainedEntry & { readonly session: SessionId })[]): Promise<void> {
  const rows = [...whatIsLaidDown(entries).values()].sort((a, b) => (a.key < b.key ? -1 : 1));
  await insertRows(on, insertWritten, workspace, rows.map(({ session, ...row }) => ({ ...row, session_id: session })));
}

/** What the entries leave, by key: of several the worst of each. */
export function whatIsLaidDown(entries: readonly (ChainedEntry & { readonly session: SessionId })[]): ReadonlyMap<string, WrittenResource> {
  const found = new Map<string, WrittenResource>();
  for (const { session, entry } of entries) {
    const writes = entry.kind === 'permit' || entry.kind === 'outcome' ? entry.writes : undefined;
    for (const key of writes?.resources.flatMap(keysOfWritten) ?? []) found.set(key, joined(found.get(key), { key, labels: writes?.labels ?? [], origin: writes?.origin ?? 'nowhere', session }));
  }
  return found;
}

export async function readWritten(on: Queryable, workspace: string, keys: readonly string[]): Promise<readonly WrittenResource[]> {
  return keys.length === 0 ? [] : (await rows(on, findWritten, [workspace, keys])).map(readRow);
}

const readRow = (row: Row): WrittenResource => ({
  key: text(row['key']), labels: texts(row['labels']), origin: oneOf(provenances)(row['origin']), session: text(row['session_id']) as SessionId,
});

function joined(known: WrittenResource | undefined, more: WrittenResource): WrittenResource {
  if (!known) return more;
  return { ...more, labels: [...new Set([...known.labels, ...more.labels])].sort(), origin: worst(known.origin, more.origin) };
}

const worst = (a: Provenance, b: Provenance): Provenance => (provenances.indexOf(a) > provenances.indexOf(b) ? a : b);
