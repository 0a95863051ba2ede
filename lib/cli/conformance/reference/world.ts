import type { ChainedEntry, ContextEntry } from '@/lib/context/entry';
import { applyEntry } from '@/lib/context/apply-entry';
import { entryHash } from '@/lib/context/entry-hash';
import type { SessionState } from '@/lib/context/session-state';
import type { GuardFinding, Identity, PointAnswer } from '@/lib/context/snapshot';
import type { Decision } from '@/lib/engine/decision';
import type { CompiledPolicy } from '@/lib/engine/policy';
import type { CanonicalAction } from '@/lib/mediate/action';
import { nodeSha256 } from '@/lib/server/node-sha256';
import { idPrefixes, isId, type ActionId, type Digest, type IdKind, type IdOf, type SessionId } from '@/lib/shared/ids';

import type { Cast, Reply } from '../call';

export type Session = {
  readonly id: SessionId;
  readonly human: string;
  readonly agent: string;
  readonly parent: Session | null;
  readonly openedAt: number;
  lastAt: number;
  open: boolean;
  readonly state: SessionState;
  readonly chain: ChainedEntry[];
  readonly findings: GuardFinding[];
  readonly answers: PointAnswer[];
};

export type Action = {
  readonly id: ActionId;
  readonly session: Session;
  readonly asked: CanonicalAction;
  readonly dependsOn: readonly string[];
  decision: Decision;
  /** Who it was for when it was decided last. */
  identity: Identity;
  state: NonNullable<Reply['state']>;
  code: string;
  /** Set when a person denied it: how long the session's chain was then. */
  deniedAt: number | null;
  permit: { readonly expiresAt: number; readonly epoch: number; readonly head: Digest | null; readonly voted: boolean } | null;
  waiting: { readonly expiresAt: number; readonly since: number } | null;
  readonly approvals: Set<string>;
  /** Waits for these, not for facts. */
  behind: readonly Action[];
  executions: number;
};

/** Everything that the naive plane knows, and its clock: milliseconds that pass only when a case lets them. */
export type World = {
  now: number;
  cast: Cast;
  policy: CompiledPolicy | null;
  /** Raised by every change of policy, switch or suspension. */
  epoch: number;
  killed: boolean;
  readonly suspended: Set<string>;
  readonly sessions: Map<string, Session>;
  readonly actions: Map<string, Action>;
  made: number;
};

export const instant = (ms: number): string => new Date(ms).toISOString();

export function newId<Kind extends IdKind>(world: World, kind: Kind): IdOf<Kind> {
  const text = `${idPrefixes[kind]}_${String(++world.made).padStart(22, '0')}`;
  if (!isId(kind, text)) throw new Error(`${text} is no id.`);
  return text;
}

/** Writes the next link of a session's chain. */
export function append(session: Session, entry: ContextEntry): void {
  const seq = session.chain.length + 1;
  const link: ChainedEntry = { seq, hash: entryHash(nodeSha256, session.state.head, entry, seq), entry };
  applyEntry(session.state, link);
  session.chain.push(link);
  session.lastAt = Date.parse(entry.at);
}

export function stateOf({ policy, now }: World, { open, openedAt, lastAt }: Session): 'open' | 'closed' | 'expired' {
  if (!open) return 'closed';
  const limits = policy?.sessions;
  return limits && (now >= openedAt + limits.ttl_s * 1000 || now >= lastAt + limits.idle_s * 1000) ? 'expired' : 'open';
}
