import type { SessionDetail } from '@/lib/contracts/console/receipts';
import type { SessionId } from '@/lib/shared/ids';
import { fail, ok, type Result } from '@/lib/shared/result';

import type { ConsoleParts } from '../console-parts';
import { entryShown } from './entry-shown';
import { receiptRow } from './receipt-row';

const mostReceipts = 500;

/** What happened in a session, in order: its chain and its receipts. Failures: `not_found`. */
export async function sessionDetail(parts: ConsoleParts, id: SessionId): Promise<Result<SessionDetail>> {
  const row = (await parts.sessions.find([id])).get(id);
  if (!row) return fail('not_found', 'There is no such session.');
  const [entries, receipts, { roster }] = await Promise.all([
    parts.sessions.entries(id, Math.max(0, row.seq - mostReceipts)),
    parts.log.search({ session: id }, { limit: mostReceipts }),
    parts.inForce.current(),
  ]);
  return ok({
    id,
    human: row.human,
    agent: row.agent,
    state: row.state,
    opened_at: row.opened_at,
    entries: entries.map(({ seq, entry }) => ({ seq, ...entryShown(entry, roster?.roster) })),
    receipts: receipts.rows.toReversed().map((receipt) => receiptRow(receipt, roster?.roster)),
  });
}
