import type { ChainedEntry, ContextEntry } from '@/lib/context/entry';
import { canonicalJson } from '@/lib/shared/canonical-json';
import type { Digest, SessionId } from '@/lib/shared/ids';

import { int, oneOf, text, type Row } from './columns';
import type { Columns, Values } from './statements';

export const entryColumns = { session_id: 'text', seq: 'int4', hash: 'text', body: 'text' } as const satisfies Columns;

const kinds = ['request', 'permit', 'outcome', 'attribute', 'lowering', 'person_value', 'inherited', 'delegation'] as const satisfies readonly ContextEntry['kind'][];
const entryKind = oneOf(kinds);

/** The body is the canonical text of the entry: the bytes that its hash covers. */
export const entryValues = ({ session, seq, hash, entry }: ChainedEntry & { readonly session: SessionId }): Values<keyof typeof entryColumns> => ({
  session_id: session,
  seq,
  hash,
  body: canonicalJson(entry),
});

/** Only this store writes entries, and from typed values, so the kind alone is checked; the hash chain shows any change of a body. */
export function readEntryRow(row: Row): ChainedEntry {
  const entry = JSON.parse(text(row['body'])) as ContextEntry;
  entryKind(entry.kind);
  return { seq: int(row['seq']), hash: text(row['hash']) as Digest, entry };
}
