import type { ReconciliationCounts, ReconciliationItem, ReconciliationQuery, ReconciliationView } from '@/lib/contracts/console/reconciliation';
import { readStatement } from '@/lib/ledger/statement';
import type { LogRow } from '@/lib/ports/ledger-reader';
import type { OpenEndCursor, OpenEndRow } from '@/lib/ports/reconciliation-reads';
import { parseEnvelope } from '@/lib/shared/dsse';
import type { Sha256 } from '@/lib/shared/encoding';
import { isId } from '@/lib/shared/ids';
import { fail, ok, type Result } from '@/lib/shared/result';

import type { ConsoleParts } from '../console-parts';

type Parts = Pick<ConsoleParts, 'reconciliation' | 'log' | 'cryptography'>;

const countedUpTo = 10_000;

/** One list of what should have come and did not, latest first. Failures: `invalid_input` (a cursor of another list). */
export async function reconciliationView(parts: Parts, { list, limit, after }: ReconciliationQuery): Promise<Result<ReconciliationView>> {
  if (list === 'redemption_refused') {
    const before = after === undefined ? undefined : /^\d{1,18}$/.test(after) ? BigInt(after) : null;
    if (before === null) return otherCursor();
    const { rows, next } = await parts.log.search({ kind: 'permit_refused' }, { limit, ...(before === undefined ? {} : { before }) });
    return ok({ items: rows.map((row) => refusal(row, parts.cryptography.sha256)), next: next === null ? null : String(next) });
  }
  const cursor = after === undefined ? undefined : cursorOf(after);
  if (cursor === null) return otherCursor();
  const { rows, next } = await parts.reconciliation.openEnds(list, { limit, ...(cursor === undefined ? {} : { after: cursor }) });
  return ok({ items: rows.map(openEnd), next: next && `${next.at} ${next.id}` });
}

/** How long each list is. */
export async function reconciliationCounts(parts: Parts): Promise<ReconciliationCounts> {
  const [missing, unknown, unused, refused] = await Promise.all([
    parts.reconciliation.countOpenEnds('outcome_missing', countedUpTo),
    parts.reconciliation.countOpenEnds('outcome_unknown', countedUpTo),
    parts.reconciliation.countOpenEnds('permit_unused', countedUpTo),
    parts.log.count({ kind: 'permit_refused' }, countedUpTo),
  ]);
  return { outcome_missing: missing, outcome_unknown: unknown, permit_unused: unused, redemption_refused: { value: refused.count, about: !refused.exact } };
}

function cursorOf(after: string): OpenEndCursor | null {
  const [at, id, ...rest] = after.split(' ');
  return at !== undefined && id !== undefined && rest.length === 0 && /^\d{4}-\d\d-\d\dT[\d:.]{12}Z$/.test(at) && isId('action', id) ? { at, id } : null;
}

const otherCursor = () => fail('invalid_input', 'This is not where a page of this list ended.', { issues: [{ path: 'after', message: 'Give `next` of the page before.' }] });

const openEnd = ({ action, session, agent, tool, operation, receipt, changed_at, outcome_due_at, overdue }: OpenEndRow): ReconciliationItem => ({
  receipt: receipt.id, index: Number(receipt.index), at: changed_at, action, session, agent, tool, operation, due_at: outcome_due_at, overdue, code: null,
});

function refusal(row: LogRow, sha256: Sha256): ReconciliationItem {
  const envelope = parseEnvelope(row.envelope);
  const body = envelope.ok ? readStatement(sha256, envelope.value) : envelope;
  return {
    receipt: row.id, index: Number(row.index), at: row.at, action: row.action ?? '', session: row.session ?? null, agent: row.agent ?? null, tool: row.tool ?? null, operation: row.operation ?? null,
    due_at: null, overdue: false, code: body.ok && body.value.kind === 'permit_refused' ? body.value.predicate.code : null,
  };
}
