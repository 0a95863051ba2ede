import { applyEntry } from '@/lib/context/apply-entry';
import { childState, emptyState, type Lineage, type SessionState } from '@/lib/context/session-state';
import type { ChainedEntry, ContextEntry } from '@/lib/context/entry';
import { familyOf, type Relatives } from '@/lib/context/relatives';
import type { SessionRow, SessionStore } from '@/lib/ports/session-store';
import type { Sha256 } from '@/lib/shared/encoding';
import type { SessionId } from '@/lib/shared/ids';
import type { Result } from '@/lib/shared/result';

import { entriesAtOnce, othersTurn } from './others-turn';
import { chainEndsIn } from './prove-session';

/** A session as this process knows it: its row, and its accumulated context at exactly the row's head. */
export type LiveSession = {
  row: SessionRow;
  readonly state: SessionState;
  /** Whether something of the session may be held or deferred, or a person denied something in it, as far as this process knows. Commits compare it. */
  mayWait?: boolean;
  /** What the other sessions of its family were permitted, as far as it was looked up; undefined without a family. */
  relatives?: Relatives;
};

export type SessionContexts = {
  /** Runs `work` in the session's turn without reading it: for what has to be done even when its rows cannot be relied on. */
  readonly inLine: <T>(id: SessionId, work: () => Promise<T>) => Promise<T>;
  /**
   * Runs `work` while no other work of this process touches the session: two actions of one session are ordered, sessions
   * run in parallel. `work` gets undefined when there is no such session.
   */
  readonly exclusively: <T>(id: SessionId, work: (session: LiveSession | undefined) => Promise<T>) => Promise<T>;
  /** Takes in what another process added to the session's chain. */
  readonly reload: (id: SessionId) => Promise<LiveSession | undefined>;
  /** Takes in an entry that has been committed. */
  readonly advance: (session: LiveSession, entry: ChainedEntry) => void;
  /** Drops what is known: after a fault nobody can say whether a commit took place. */
  readonly forget: (id: SessionId) => void;
};

/** Sessions kept in memory, and forms of values in all of them together. The least recently used leave first; they are read again when needed. */
const mostKept = { sessions: 4096, forms: 3_000_000 };
/** Sessions of which the length is remembered; the least recently used leave first. */
const mostLengths = 100_000;
/** How often a session is read at most because it went on while it was read. */
const reads = 20;

/**
 * Whether a session's row and entries are what was signed; a fault here means that the session is not used. `known`: the session as
 * it was proved before, when the entries go on from there.
 */
export type ProveEntries = (row: SessionRow, entries: readonly ChainedEntry[], known?: LiveSession) => Promise<Result<null>>;

export function sessionContexts(sessions: Pick<SessionStore, 'find' | 'entries'>, prove: ProveEntries, sha256: Sha256, kept = mostKept): SessionContexts {
  const live = new Map<SessionId, LiveSession>();
  const lines = new Map<string, Promise<unknown>>();
  /** Forms that each session had when it was last used, and their sum. */
  const weights = new Map<SessionId, number>();
  /** How long each session was when it was seen last, also of those that are not kept. */
  const lengths = new Map<SessionId, number>();
  let forms = 0;

  async function load(id: SessionId, attempt = 1): Promise<LiveSession | undefined> {
    const known = live.get(id);
    // Whatever goes wrong from here on, what was known is not relied on any more.
    forget(id);
    const row = (await sessions.find([id])).get(id);
    if (!row) return undefined;
    // A session only grows. What it has seen is not forgotten because its row, and the receipts by which it would be found, say less.
    if (row.seq < (lengths.get(id) ?? 0)) throw new UnprovenSession(`Session ${id} has fewer steps than it had.`);
    const base = known;
    // Entries beyond the row's head were committed after the row was read; the next look takes them in.
    const entries = (await sessions.entries(id, base?.state.seq ?? 0)).filter(({ seq }) => seq <= row.seq);
    const proven = await prove(row, entries, base);
    if (!proven.ok) {
      if (proven.error.code === 'conflict' && attempt < reads) return await load(id, attempt + 1);
      throw new UnprovenSession(proven.error.detail);
    }
    const state = base?.state ?? (await begin(id, entries[0]?.entry));
    await takeIn(state, entries);
    const session: LiveSession = { ...base, row, state };
    keep(id, session);
    return session;
  }

  /** The state before the first entry: empty, or all that the parent had at the head that the entry names. */
  async function begin(id: SessionId, first: ContextEntry | undefined): Promise<SessionState> {
    if (first?.kind !== 'inherited') return emptyState(id);
    const { parent, parent_head, parent_seq } = first;
    const above = live.get(parent);
    if (above?.state.head === parent_head && above.state.seq === parent_seq) return childState(above.state, id, lineageOf(first));
    const entries = (await sessions.entries(parent, 0)).filter(({ seq }) => seq <= parent_seq);
    // The head is in the child's own chain, which is proved: it vouches for every entry of the parent up to there.
    if (!(await chainEndsIn(sha256, entries, parent_head))) throw new UnprovenSession(`The entries of ${parent} are not those that ${id} goes on from.`);
    const state = await begin(parent, entries[0]?.entry);
    await takeIn(state, entries);
    return childState(state, id, lineageOf(first));
  }

  function grown(id: SessionId, seq: number): void {
    lengths.delete(id);
    lengths.set(id, seq);
    const [oldest] = lengths.keys();
    if (oldest !== undefined && lengths.size > mostLengths) lengths.delete(oldest);
  }

  function keep(id: SessionId, session: LiveSession): void {
    forget(id);
    grown(id, session.state.seq);
    live.set(id, session);
    weights.set(id, session.state.values.size);
    forms += session.state.values.size;
    for (const oldest of live.keys()) {
      if (live.size <= kept.sessions && (forms <= kept.forms || live.size === 1)) break;
      forget(oldest);
    }
  }

  function forget(id: SessionId): void {
    live.delete(id);
    forms -= weights.get(id) ?? 0;
    weights.delete(id);
  }

  async function inLine<T>(id: string, work: () => Promise<T>): Promise<T> {
    const before = lines.get(id);
    const turn = (async () => {
      if (before) await before.catch(() => undefined);
      return await work();
    })();
    lines.set(id, turn);
    try {
      return await turn;
    } finally {
      if (lines.get(id) === turn) lines.delete(id);
    }
  }

  return {
    inLine,
    exclusively: async (id, work) =>
      await inLine(id, async () => {
        const known = live.get(id);
        if (known) keep(id, known);
        try {
          const session = known ?? (await load(id));
          const family = session && familyOf(session.state);
          // A family shares its limits, so its sessions take turns. Taken after the session's own turn, always: nobody waits in a circle.
          return await (family ? inLine(`family ${family}`, async () => await work(session)) : work(session));
        } catch (cause) {
          forget(id);
          throw cause;
        }
      }),
    reload: async (id) => await load(id),
    advance: (session, entry) => {
      applyEntry(session.state, entry);
      session.row = { ...session.row, head: entry.hash, seq: entry.seq, last_at: entry.entry.at };
      grown(session.row.id, entry.seq);
    },
    forget,
  };
}

/** A long session that is read from the beginning takes a second: others go on meanwhile. */
async function takeIn(state: SessionState, entries: readonly ChainedEntry[]): Promise<void> {
  for (const [at, entry] of entries.entries()) {
    if (at % entriesAtOnce === entriesAtOnce - 1) await othersTurn();
    applyEntry(state, entry);
  }
}

const lineageOf = ({ kind: _kind, at: _at, ...lineage }: Extract<ContextEntry, { kind: 'inherited' }>): Lineage => lineage;

/** A session whose rows are not what was signed. Nothing is decided in it. */
export class UnprovenSession extends Error {
  override readonly name = 'UnprovenSession';
}
