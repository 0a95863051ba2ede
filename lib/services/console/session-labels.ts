import { LabelLedger } from '@/lib/context/label-ledger';
import type { SessionStore } from '@/lib/ports/session-store';
import type { SessionId } from '@/lib/shared/ids';

/** The labels that a session carries now, from its chain. */
export async function sessionLabels(sessions: Pick<SessionStore, 'entries'>, id: SessionId): Promise<readonly string[]> {
  const labels = new LabelLedger();
  for (const { entry } of await sessions.entries(id, 0)) {
    if (entry.kind === 'permit') labels.raiseByPermit(entry.action, entry.labels);
    if (entry.kind !== 'outcome') continue;
    labels.settle(entry.action);
    labels.raise(entry.labels);
  }
  return labels.current();
}
