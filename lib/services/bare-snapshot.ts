import type { Identity, Snapshot } from '@/lib/context/snapshot';
import { evidenceGuard } from '@/lib/engine/join-evidence';
import type { SessionRow } from '@/lib/ports/session-store';

type Known = { readonly session: { readonly state: Snapshot['session']['state']; readonly opened_at: string }; readonly identity: Identity; readonly identityVerified: boolean; readonly killed: boolean };

/** What is known without the session's context, when that could not be made into evidence. It says so, and the engine denies for it. */
export const bareSnapshot = (row: SessionRow, { session, identity, identityVerified, killed }: Known): Snapshot => ({
  version: 1,
  session: { id: row.id, state: session.state, opened_at: session.opened_at, assurance: null, head: row.head, seq: row.seq },
  identity,
  identity_verified: identityVerified,
  killed,
  requests: null,
  intent: null,
  prior: { counts: {}, recent: [], total: 0 },
  labels: [],
  provenance: [],
  attributes: [],
  signals: [],
  guards: [{ guard: evidenceGuard, verdict: 'failed', path: '', detail: 'what this decision rests on could not be gathered.' }],
  points: [],
  grants: [],
});
