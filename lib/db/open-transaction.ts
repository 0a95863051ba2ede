import type pg from 'pg';

import type { Frontier } from '@/lib/ledger/merkle/frontier';
import type { Tx } from '@/lib/ports/transaction';

/** The head row while it is locked: changed here, written back once before commit. */
export type HeadInHand = {
  epoch: bigint;
  frontier: Frontier;
  lastHash: Uint8Array;
  readonly now: string;
  changed: boolean;
};

/** The head is in hand once the lock is held; what runs before may only read. */
export type OpenTransaction = { readonly client: pg.ClientBase; readonly workspace: string; head: HeadInHand | null };

const open = new WeakMap<Tx, OpenTransaction>();

/** A handle without anything on it: only this folder can get from it to the client. */
export function openTransaction(transaction: OpenTransaction): Tx {
  const tx = Object.freeze({}) as Tx;
  open.set(tx, transaction);
  return tx;
}

/** From here on the handle is dead: a late statement would run outside the transaction on a client that is someone else's. */
export const endTransaction = (tx: Tx): boolean => open.delete(tx);

/** For reading. Throws when the transaction has ended, or belongs to another store. */
export function readingIn(tx: Tx): Pick<OpenTransaction, 'client' | 'workspace'> {
  const transaction = open.get(tx);
  if (!transaction) throw new Error('The transaction has ended.');
  return transaction;
}

/** For writing too: throws also while the lock is not yet known to be held. */
export function transactionOf(tx: Tx): OpenTransaction & { readonly head: HeadInHand } {
  const transaction = open.get(tx);
  if (!transaction) throw new Error('The transaction has ended.');
  if (!hasHead(transaction)) throw new Error('The head of the log is not locked yet.');
  return transaction;
}

const hasHead = (transaction: OpenTransaction): transaction is OpenTransaction & { readonly head: HeadInHand } => transaction.head !== null;
