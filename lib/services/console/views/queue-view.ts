import type { QueueItem, QueueQuery, QueueView } from '@/lib/contracts/console/approvals';
import type { Viewer } from '@/lib/contracts/console/viewer';
import { eligibleApprovers } from '@/lib/approvals/eligible-approvers';
import { factsOf } from '@/lib/approvals/headline';
import { parseHeldAction } from '@/lib/approvals/parse-held-action';
import { subjectOf } from '@/lib/approvals/subject';
import { ours } from '@/lib/approvals/view-text';
import type { QueueCursor, QueueRow } from '@/lib/ports/console-reads';
import { erasedText } from '@/lib/ports/erasure-store';
import { fail, ok, type Result } from '@/lib/shared/result';

import type { ConsoleParts } from '../console-parts';
import { sightOf } from '../sight';

/** A page of the queue, as far as the viewer may see. Failures: `invalid_input` (a cursor that is none). */
export async function queueView(parts: ConsoleParts, viewer: Viewer, query: QueueQuery): Promise<Result<QueueView>> {
  const sight = query.scope === 'own' ? ({ kind: 'own', email: viewer.email } as const) : sightOf(viewer);
  const after = query.after === undefined ? undefined : readCursor(query.after);
  if (after === null) return fail('invalid_input', 'The page to go on from cannot be read.', { issues: [{ path: 'after', message: 'Not a cursor of this list.' }] });
  const [page, counts, now] = await Promise.all([
    parts.reads.queue(sight, query, { limit: query.limit, ...(after ? { after } : {}) }),
    parts.reads.queueCounts(sight),
    parts.reads.now(),
  ]);
  return ok({
    items: page.rows.map((row) => itemOf(row, viewer, now)),
    counts,
    next: page.next && `${page.next.at}~${page.next.id}`,
    now,
  });
}

function itemOf(row: QueueRow, viewer: Viewer, now: string): QueueItem {
  const held = parseHeldAction(JSON.parse(row.held));
  const eligible = held.ok && eligibleApprovers(held.value, [{ id: viewer.person, email: viewer.email, name: viewer.name, groups: viewer.groups, keys: [] }], row.approvers).length > 0;
  return {
    id: row.id,
    action: row.action,
    session: row.session,
    title: `${row.tool}.${row.operation}`,
    headline: held.ok ? (factsOf(held.value)[0] ?? []) : [ours(row.held === erasedText ? 'What was asked for was erased.' : 'This request cannot be read. Deny it and run "countersign fsck".')],
    subject: held.ok ? subjectOf(held.value) : [],
    agent: row.agent,
    human: row.human,
    impact: row.impact,
    state: row.state,
    quorum: { needed: row.quorum, given: row.given },
    held_at: row.held_at,
    expires_at: row.expires_at,
    resolved_at: row.resolved_at,
    mine_to_decide: eligible && row.state === 'pending' && row.expires_at > now && viewer.permissions.includes('approvals.decide') && !row.voted.includes(viewer.person),
  };
}

function readCursor(text: string): QueueCursor | null {
  const [at, id] = text.split('~');
  return at !== undefined && id !== undefined && !Number.isNaN(Date.parse(at)) && id !== '' ? { at, id } : null;
}
