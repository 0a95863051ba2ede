import type { SessionDetail } from '@/lib/contracts/console/receipts';
import type { ChainedEntry } from '@/lib/context/entry';
import { canonicalJson } from '@/lib/shared/canonical-json';
import type { SessionId } from '@/lib/shared/ids';
import { fail, ok, type Result } from '@/lib/shared/result';

import type { ConsoleParts } from '../console-parts';
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
    entries: entries.map(shown),
    receipts: receipts.rows.toReversed().map((receipt) => receiptRow(receipt, roster?.roster)),
  });
}

function shown({ seq, entry }: ChainedEntry): SessionDetail['entries'][number] {
  const base = { seq, kind: entry.kind, at: entry.at };
  switch (entry.kind) {
    case 'request':
      return { ...base, text: entry.text, untrusted: entry.assurance === 'same_host', labels: [] };
    case 'permit':
      return { ...base, text: `${entry.tool}.${entry.operation}`, untrusted: false, labels: entry.labels };
    case 'outcome':
      return { ...base, text: entry.output === '' ? entry.status : entry.output, untrusted: !entry.trusted, labels: entry.labels };
    case 'attribute':
      return { ...base, text: `${entry.subject} ${entry.name} = ${entry.unavailable ? 'unavailable' : canonicalJson(entry.value)} (${entry.source})`, untrusted: false, labels: [] };
    case 'person_value':
      return { ...base, text: canonicalJson(entry.value), untrusted: false, labels: [] };
    case 'inherited':
      return { ...base, text: `goes on from ${entry.parent}, step ${String(entry.parent_seq)}`, untrusted: false, labels: [] };
    case 'delegation':
      return { ...base, text: `${entry.child} ${entry.event}`, untrusted: false, labels: [] };
  }
}
