import type { ChainedEntry } from '@/lib/context/entry';
import type { FamilyPermit } from '@/lib/context/relatives';
import type { PriorAction } from '@/lib/context/snapshot';
import { effects } from '@/lib/mediate/catalogue';
import type { ActionId, SessionId } from '@/lib/shared/ids';

import { int, oneOf, orNull, text, texts, time, UnreadableRow, type Row } from './columns';
import { insertRows } from './insert-rows';
import { columnList, insertStatement, rows, statement, type Columns, type Queryable } from './statements';

const familyColumns = {
  root_id: 'text', n: 'int4', session_id: 'text', action_id: 'text', tool: 'text', operation: 'text', effect: 'text', at: 'timestamptz', labels: 'text[]', amount: 'text',
} as const satisfies Columns;

const insertPermits = insertStatement('family_permits', familyColumns);

const findPermits = statement(
  'find_family_permits',
  `SELECT ${columnList(familyColumns)} FROM "family_permits" WHERE "workspace_id" = $1 AND "root_id" = $2 AND "n" > $3 ORDER BY "n" LIMIT $4`,
);

/**
 * INVARIANT: the numbers of a family's permits have no gap and no double. Two sessions of one family that are decided at once by two
 * processes both take the next number; the key lets one of them commit, and the other is decided again with what the first did.
 */
export async function numberPermits(on: Queryable, workspace: string, entries: readonly (ChainedEntry & { readonly session: SessionId })[]): Promise<void> {
  const values = entries.flatMap(({ session, entry }) => {
    if (entry.kind !== 'permit' || !entry.family) return [];
    const { family, action, tool, operation, at, labels, amount } = entry;
    return [{ root_id: family.root, n: family.n, session_id: session, action_id: action, tool, operation, effect: effectsText(entry), at, labels, amount: amount === undefined ? null : String(amount) }];
  });
  await insertRows(on, insertPermits, workspace, values);
}

/** `most`: null for all of them. */
export const readFamilyPermits = async (on: Queryable, workspace: string, root: SessionId, after: number, most: number | null = null): Promise<readonly FamilyPermit[]> =>
  (await rows(on, findPermits, [workspace, root, after, most])).map(readRow);

function readRow(row: Row): FamilyPermit {
  const amount = orNull(text)(row['amount']);
  return {
    n: int(row['n']),
    session: text(row['session_id']) as SessionId,
    prior: {
      action: text(row['action_id']) as ActionId, ...(amount === null ? {} : { amount: Number(amount) }), at: time(row['at']), ...effectsIn(row['effect']),
      labels: texts(row['labels']), operation: text(row['operation']), tool: text(row['tool']),
    },
  };
}

type Effects = Pick<PriorAction, 'effect' | 'effects'>;

/** One column holds all that an action does, the catalogue's effect first: the rows of before, which have that alone, mean the same. */
export const effectsText = ({ effect, effects: all }: Effects): string => all?.join(',') ?? effect;

function effectsIn(value: unknown): Effects {
  const all = text(value).split(',').map(oneOf(effects));
  const [effect] = all;
  if (effect === undefined || new Set(all).size !== all.length) throw new UnreadableRow('effects, each of them once', value);
  return all.length === 1 ? { effect } : { effect, effects: all };
}
