import type { ChainedEntry } from '@/lib/context/entry';
import type { CredentialId, Digest, SessionId } from '@/lib/shared/ids';

import type { Tx } from './transaction';

export type SessionRow = {
  readonly id: SessionId;
  readonly human: string;
  readonly service: CredentialId;
  readonly agent: string;
  readonly parent: SessionId | null;
  readonly expected_scope: string | null;
  readonly state: 'open' | 'closed';
  readonly opened_at: string;
  readonly last_at: string;
  readonly head: Digest;
  readonly seq: number;
};

/** Moves a session's chain from `from` to `to`; the rows that move are exactly those whose head still is `from`. */
export type HeadMove = { readonly session: SessionId; readonly from: Digest; readonly to: Digest; readonly seq: number; readonly at: string };

export type SessionStore = {
  readonly insert: (tx: Tx, session: SessionRow) => Promise<void>;
  readonly find: (ids: readonly SessionId[], tx?: Tx) => Promise<ReadonlyMap<SessionId, SessionRow>>;
  /** Throws when one did not move: under the head lock that is a programmer's error. */
  readonly moveHeads: (tx: Tx, moves: readonly HeadMove[]) => Promise<void>;
  readonly close: (tx: Tx, id: SessionId, at: string) => Promise<boolean>;
  readonly addEntries: (tx: Tx, entries: readonly (ChainedEntry & { readonly session: SessionId })[]) => Promise<void>;
  /** The chain from `after` (0: the whole) in order. */
  readonly entries: (id: SessionId, after: number, tx?: Tx) => Promise<readonly ChainedEntry[]>;
  /** Open sessions that nothing happened in since `idleBefore`, or that were opened before `openedBefore`. */
  readonly ended: (idleBefore: string, openedBefore: string, limit: number) => Promise<readonly SessionId[]>;
};
