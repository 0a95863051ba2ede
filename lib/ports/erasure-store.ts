import type { ActionId, ApprovalId, Digest, SessionId } from '@/lib/shared/ids';

import type { Tx } from './transaction';

/** What stands in a row where text was erased: of a step of a session, of a decision, of what was held. */
export const erasedText = '{"kind":"erased"}';

/** Everything that goes at once. What is not there (any more) is passed over. */
export type Erasing = {
  readonly contents: readonly Digest[];
  /** Steps of sessions' contexts that lose their text; their hashes stay, so the chain stays checkable around them. */
  readonly steps: readonly { readonly session: SessionId; readonly seq: number }[];
  /** Sessions that lose the text of every step. */
  readonly sessions: readonly SessionId[];
  /** Actions whose rows lose the agent's words, the decision's readings and the executor's words. */
  readonly actions: readonly ActionId[];
  /** Requests for approval that lose what was held. */
  readonly requests: readonly ApprovalId[];
};

export type ErasureStore = {
  /** A session and all those under it; empty when there is none. */
  readonly family: (session: SessionId, tx?: Tx) => Promise<readonly { readonly id: SessionId; readonly state: 'open' | 'closed' }[]>;
  /** Actions of these sessions that have not ended, oldest first. */
  readonly unfinished: (tx: Tx, sessions: readonly SessionId[]) => Promise<readonly ActionId[]>;
  /** Deletes contents and texts for good; says which contents were there, and how many steps lost their text. */
  readonly erase: (tx: Tx, erasing: Erasing) => Promise<{ readonly contents: readonly Digest[]; readonly entries: number }>;
  /** Sessions that ended before a time and still have text, the oldest first. */
  readonly endedBefore: (at: string, limit: number) => Promise<readonly SessionId[]>;
};
