import { mayAs } from '@/lib/authority/roles';
import { personById } from '@/lib/authority/roster-lookup';
import type { SessionLabelsView } from '@/lib/contracts/console/labels';
import type { Viewer } from '@/lib/contracts/console/viewer';
import type { SessionRow } from '@/lib/ports/session-store';
import type { InForce } from '@/lib/services/in-force';
import { sessionStateAt } from '@/lib/services/session-state-at';
import { normalEmail } from '@/lib/shared/email';
import { isId, type SessionId } from '@/lib/shared/ids';
import { fail, ok, type Result } from '@/lib/shared/result';

import type { ConsoleParts } from '../console-parts';
import { registrantOf } from '../person-signature';
import { labelOrigins } from '../session-labels';

/** What a session carries, and whether the viewer could lower any of it. Failures: `not_found`. */
export async function sessionLabelsView(parts: ConsoleParts, viewer: Viewer, id: SessionId): Promise<Result<SessionLabelsView>> {
  const row = (await parts.sessions.find([id])).get(id);
  if (!row) return fail('not_found', 'There is no such session.');
  const [labels, inForce, now] = await Promise.all([labelOrigins(parts.sessions, id, row.seq), parts.inForce.current(), parts.reads.now()]);
  const nameOf = (where: string) => (isId('person', where) && inForce.roster ? (personById(inForce.roster.roster, where)?.name ?? where) : where);
  return ok({
    session: id,
    head: row.head,
    seq: row.seq,
    labels: labels.current().map((label) => ({ ...label, origins: label.origins.map((origin) => ({ ...origin, where: nameOf(origin.where) })) })),
    obstacle: obstacleOf(row, viewer, inForce, now),
  });
}

function obstacleOf(row: SessionRow, viewer: Viewer, inForce: InForce, now: string): string | null {
  if (!mayAs(viewer.roles, 'labels.lower')) return 'An owner can lower a label, with a signature and a reason.';
  if (normalEmail(viewer.email) === normalEmail(row.human)) return 'The session is yours, so another owner has to lower its labels.';
  if (registrantOf(inForce, row.agent) === viewer.person) return 'You registered this agent, so another owner has to lower labels of its sessions.';
  const state = sessionStateAt(row, inForce.policy?.compiled ?? null, now);
  return state === 'open' ? null : `The session is ${state}: nothing is decided in it any more.`;
}
