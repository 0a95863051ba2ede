import type { WaitingMessage } from '@/lib/ports/notice-store';
import type { NoticeText } from '@/lib/ports/notifier';

import type { NoticeParts } from './notice-parts';

/** What a message says when it is sent: read then, so that nothing of a request is kept a second time. */
export async function noticeText(parts: Pick<NoticeParts, 'approvals' | 'actions' | 'consoleUrl'>, { id, kind, approval, count, made_at }: WaitingMessage): Promise<NoticeText> {
  const queue = `${parts.consoleUrl}/approvals`;
  if (approval === null || kind === 'more') return kind === 'test' ? { id, kind, at: made_at, link: queue } : { id, kind: 'more', at: made_at, link: queue, count };
  const row = await parts.approvals.find(approval);
  const action = row && (await parts.actions.find([row.action])).get(row.action);
  if (!action) throw new Error(`Request ${approval}, which somebody is to be told of, is gone.`);
  const about = { id, at: made_at, request: approval, tool: action.tool, impact: row.impact, link: `${queue}?item=${approval}` };
  if (kind === 'held' || kind === 'escalated' || row.state === 'pending') return { ...about, kind: kind === 'escalated' ? kind : 'held', expires_at: row.expires_at };
  return { ...about, kind: 'ended', outcome: row.state };
}
