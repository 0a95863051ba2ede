import type { Inherited } from '@/lib/context/entry';
import type { SessionState } from '@/lib/context/session-state';
import type { LiveSession } from '@/lib/services/session-contexts';
import type { CredentialId, Digest } from '@/lib/shared/ids';

const opened = '2026-03-01T09:00:00.000Z';

/** A session of Mia's by a helper, at exactly the end of that state's chain. */
export const liveSession = (state: SessionState, more: Partial<LiveSession['row']> = {}): LiveSession => ({
  state,
  row: {
    id: state.id, human: 'mia@corp.example', service: 'crd_1' as CredentialId, agent: 'helper', parent: null, expected_scope: null, state: 'open',
    opened_at: opened, began_at: opened, last_at: opened, head: state.head ?? ('0'.repeat(64) as Digest), seq: state.seq, ...more,
  },
});

/** Of what an action reads nothing is known from elsewhere. */
export const noInherited: Inherited = { labels: [], origin: null, from: [] };
