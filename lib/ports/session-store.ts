import type { ChainedEntry, Provenance } from '@/lib/context/entry';
import type { FamilyPermit } from '@/lib/context/relatives';
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
  /** When the first of the sessions above it was opened; its own opening without one. */
  readonly began_at: string;
  readonly last_at: string;
  readonly head: Digest;
  readonly seq: number;
};

/** Moves a session's chain from `from` to `to`; the rows that move are exactly those whose head still is `from`. */
export type HeadMove = { readonly session: SessionId; readonly from: Digest; readonly to: Digest; readonly seq: number; readonly at: string };

/** What sessions have left under one key: every label, the least trusted origin, and the session that last made it worse. */
export type WrittenResource = { readonly key: string; readonly labels: readonly string[]; readonly origin: Provenance; readonly session: SessionId };

export type SessionStore = {
  readonly insert: (tx: Tx, session: SessionRow) => Promise<void>;
  readonly find: (ids: readonly SessionId[], tx?: Tx) => Promise<ReadonlyMap<SessionId, SessionRow>>;
  /** Throws when one did not move: under the head lock that is a programmer's error. */
  readonly moveHeads: (tx: Tx, moves: readonly HeadMove[]) => Promise<void>;
  readonly close: (tx: Tx, id: SessionId, at: string) => Promise<boolean>;
  /**
   * Adds entries, and lays down what they wrote on resources: labels there only rise, and origins only get worse. Throws when a permit
   * has a number that its family has given already: it was decided without the other one.
   */
  readonly addEntries: (tx: Tx, entries: readonly (ChainedEntry & { readonly session: SessionId })[]) => Promise<void>;
  /** The chain from `after` (0: the whole) in order. */
  readonly entries: (id: SessionId, after: number, tx?: Tx) => Promise<readonly ChainedEntry[]>;
  /** What was laid down under these keys. */
  readonly written: (keys: readonly string[], tx?: Tx) => Promise<readonly WrittenResource[]>;
  /** A filter over the less trusted values that were written under these keys, as a text of 0 and 1; null: none were. */
  readonly writtenValues: (keys: readonly string[], tx?: Tx) => Promise<string | null>;
  /** Permits of a family of sessions after the n-th, in order. */
  readonly familyPermits: (root: SessionId, after: number, tx?: Tx) => Promise<readonly FamilyPermit[]>;
  /** Open children of a session. */
  readonly openChildren: (parent: SessionId, tx?: Tx) => Promise<readonly SessionId[]>;
  /** A person changed the session's context: what is deferred in it is to be decided again. */
  readonly lookAgain: (tx: Tx, id: SessionId, at: string) => Promise<void>;
  /** Such sessions, the longest waiting first. */
  readonly toLookAt: (limit: number) => Promise<readonly { readonly session: SessionId; readonly at: string }[]>;
  /** Done, as of `at`: when a person changed it again since, it is to be looked at once more. */
  readonly lookedAt: (id: SessionId, at: string) => Promise<void>;
  /** Open sessions that nothing happened in since `idleBefore`, or that began before `openedBefore`. */
  readonly ended: (idleBefore: string, openedBefore: string, limit: number) => Promise<readonly SessionId[]>;
};
