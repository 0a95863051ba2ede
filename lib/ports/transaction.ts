declare const transaction: unique symbol;

/** An open transaction. Only the store that made it can look inside. */
export type Tx = { readonly [transaction]: true };

/** What the head row said when it was locked. `now` is the database's clock in this transaction (ISO, UTC, ms). */
export type LockedHead = {
  readonly epoch: bigint;
  readonly size: bigint;
  readonly now: string;
};

/**
 * INVARIANT: whoever appends begins by locking the workspace's head row, and locks nothing before it. So all writers of
 * a workspace stand in one line: what is read under the lock stays true until commit, two processes never fork the log,
 * and no two writers deadlock. The lock is held for one batch of statements, never across anything slow.
 */
export type Transactor = {
  /** Locks the head, runs `work`, commits. Anything thrown rolls the whole of it back. */
  readonly withHead: <T>(work: (tx: Tx, head: LockedHead) => Promise<T>) => Promise<T>;
  /**
   * The same, with reads that need not know the head: they go out together with the lock, so that both take one round
   * trip, and run behind it, so that what they read holds until commit. `read` must not write.
   */
  readonly withHeadAnd: <R, T>(read: (tx: Tx) => Promise<R>, work: (tx: Tx, head: LockedHead, found: R) => Promise<T>) => Promise<T>;
  /** Raises the epoch: from here on, what was decided before is decided again before it counts. */
  readonly raiseEpoch: (tx: Tx) => Promise<bigint>;
};
