import { applyEntry } from '@/lib/context/apply-entry';
import { emptyState, type SessionState } from '@/lib/context/session-state';
import type { ChainedEntry } from '@/lib/context/entry';
import type { SessionRow, SessionStore } from '@/lib/ports/session-store';
import type { SessionId } from '@/lib/shared/ids';
import type { Result } from '@/lib/shared/result';

/** A session as this process knows it: its row, and its accumulated context at exactly the row's head. */
export type LiveSession = {
  row: SessionRow;
  readonly state: SessionState;
  /** Whether something of the session may be held or deferred, as far as this process knows. Commits compare it. */
  mayWait?: boolean;
};

export type SessionContexts = {
  /**
   * Runs `work` while no other work of this process touches the session: two actions of one session are ordered, sessions
   * run in parallel. `work` gets undefined when there is no such session.
   */
  readonly exclusively: <T>(id: SessionId, work: (session: LiveSession | undefined) => Promise<T>) => Promise<T>;
  /** Reads the session again: another process has moved its chain. */
  readonly reload: (id: SessionId) => Promise<LiveSession | undefined>;
  /** Takes in an entry that has been committed. */
  readonly advance: (session: LiveSession, entry: ChainedEntry) => void;
  /** Drops what is known: after a fault nobody can say whether a commit took place. */
  readonly forget: (id: SessionId) => void;
};

/** Sessions kept in memory. The least recently used leave first; they are read again when needed. */
const kept = 4096;
/** How often a session is read at most because it went on while it was read. */
const reads = 20;

/** Whether a session's row and entries are what was signed; a fault here means that the session is not used. */
export type ProveEntries = (row: SessionRow, entries: readonly ChainedEntry[]) => Promise<Result<null>>;

export function sessionContexts(sessions: SessionStore, prove: ProveEntries): SessionContexts {
  const live = new Map<SessionId, LiveSession>();
  const lines = new Map<SessionId, Promise<unknown>>();

  async function load(id: SessionId, attempt = 1): Promise<LiveSession | undefined> {
    live.delete(id);
    const row = (await sessions.find([id])).get(id);
    if (!row) return undefined;
    // Entries beyond the row's head were committed after the row was read; the next look takes them in.
    const entries = (await sessions.entries(id, 0)).filter(({ seq }) => seq <= row.seq);
    const proven = await prove(row, entries);
    if (!proven.ok) {
      if (proven.error.code === 'conflict' && attempt < reads) return await load(id, attempt + 1);
      throw new UnprovenSession(proven.error.detail);
    }
    const state = emptyState(id);
    for (const entry of entries) applyEntry(state, entry);
    const session: LiveSession = { row, state };
    keep(id, session);
    return session;
  }

  function keep(id: SessionId, session: LiveSession): void {
    live.delete(id);
    live.set(id, session);
    if (live.size <= kept) return;
    const oldest = live.keys().next();
    if (oldest.done !== true) live.delete(oldest.value);
  }

  return {
    exclusively: async (id, work) => {
      const before = lines.get(id);
      const turn = (async () => {
        if (before) await before.catch(() => undefined);
        const known = live.get(id);
        if (known) keep(id, known);
        return await work(known ?? (await load(id)));
      })();
      lines.set(id, turn);
      try {
        return await turn;
      } catch (cause) {
        live.delete(id);
        throw cause;
      } finally {
        if (lines.get(id) === turn) lines.delete(id);
      }
    },
    reload: async (id) => await load(id),
    advance: (session, entry) => {
      applyEntry(session.state, entry);
      session.row = { ...session.row, head: entry.hash, seq: entry.seq, last_at: entry.entry.at };
    },
    forget: (id) => void live.delete(id),
  };
}

/** A session whose rows are not what was signed. Nothing is decided in it. */
export class UnprovenSession extends Error {
  override readonly name = 'UnprovenSession';
}
