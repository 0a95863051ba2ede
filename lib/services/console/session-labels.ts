import { LabelOrigins } from '@/lib/context/label-origins';
import type { SessionStore } from '@/lib/ports/session-store';
import type { SessionId } from '@/lib/shared/ids';

type Sessions = Pick<SessionStore, 'entries'>;

/** The labels that a session carries now, from its chain and, for a child, from that of the session above it up to where it goes on. */
export const sessionLabels = async (sessions: Sessions, id: SessionId): Promise<readonly string[]> =>
  (await labelOrigins(sessions, id)).current().map(({ label }) => label);

/** The same, with where each came from. */
export async function labelOrigins(sessions: Sessions, id: SessionId, upTo = Infinity): Promise<LabelOrigins> {
  const labels = new LabelOrigins();
  for (const chained of await sessions.entries(id, 0)) {
    if (chained.seq > upTo) break;
    const { entry } = chained;
    if (entry.kind === 'inherited') labels.inherit(await labelOrigins(sessions, entry.parent, entry.parent_seq), entry.parent, entry.at);
    else labels.take(chained);
  }
  return labels;
}
