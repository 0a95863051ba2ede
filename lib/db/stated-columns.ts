import type { ReceiptBody } from '@/lib/ledger/receipt-predicate';
import type { LogRow } from '@/lib/ports/ledger-reader';

/**
 * The first search column that says something else than the receipt; undefined: none does. Lists and searches read these columns, and so
 * does whoever asks whether a permit was used; they are no part of the leaf, so they are compared one by one.
 */
export function columnFault(row: LogRow, body: ReceiptBody): string | undefined {
  const { kind, predicate } = body;
  const stated: Readonly<Record<string, unknown>> = {
    ...('identity' in predicate ? { session: predicate.identity.session, agent: predicate.identity.agent } : {}),
    ...predicate,
    kind,
    action: 'action' in predicate ? predicate.action.id : undefined,
  };
  for (const name of ['kind', 'at', 'session', 'action', 'agent', 'tool', 'operation', 'decision'] as const) {
    if (typeof stated[name] === 'string' && stated[name] !== row[name]) return said(name, row[name], stated[name]);
  }
  // Of an action the columns tell more than the receipt: they are held against its decision's (see fsck-rows.ts).
  if (row.action !== undefined && !('action' in predicate)) return said('action', row.action, undefined);
  if (row.session !== undefined && typeof stated['session'] !== 'string' && !('action' in predicate)) return said('session', row.session, undefined);
  if (row.decision !== undefined && kind !== 'action_decided') return said('decision', row.decision, undefined);
  const person = personIn(body);
  if (person !== undefined && person !== row.person) return said('person', row.person, person);
  const revision = revisionIn(body);
  if (revision !== undefined && (revision ?? undefined) !== row.revision) return said('revision', row.revision, revision);
  const labels = kind === 'outcome_reported' ? predicate.labels : undefined;
  if (labels && labels.join('\n') !== (row.labels ?? []).join('\n')) return said('labels', row.labels, labels);
  const rules = 'determining' in predicate ? predicate.determining.map(({ id }) => id) : [];
  return rules.join('\n') === (row.rules ?? []).join('\n') ? undefined : said('rules', row.rules, rules);
}

const said = (column: string, row: unknown, receipt: unknown): string =>
  `The column ${column} says ${shown(row)}, the receipt ${shown(receipt)}.`;

const shown = (value: unknown): string => (Array.isArray(value) ? value.join(', ') : typeof value === 'string' || typeof value === 'number' ? String(value) : 'nothing');

function personIn({ kind, predicate }: ReceiptBody): string | undefined {
  switch (kind) {
    case 'session_opened':
      return predicate.human;
    case 'approval_voted':
    case 'key_enrolled':
      return predicate.person;
    default:
      return undefined;
  }
}

/** Null: the receipt says that there was none. Undefined: it says nothing about it. */
function revisionIn({ kind, predicate }: ReceiptBody): number | null | undefined {
  if (kind === 'policy_applied') return predicate.revision;
  return kind === 'action_decided' ? (predicate.policy?.revision ?? null) : undefined;
}
