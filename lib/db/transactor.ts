import pg from 'pg';

import { ClockSteppedBack, CommitUnknown, isCommitUnknown } from '@/lib/ports/store-faults';
import type { Transactor } from '@/lib/ports/transaction';

import { time } from './columns';
import { packFrontier, readHead } from './head-row';
import { endTransaction, openTransaction, transactionOf, type HeadInHand, type OpenTransaction } from './open-transaction';
import { rows, statement, touched } from './statements';

/** How far the database's clock may fall behind the log's time before nothing is decided any more. */
const toleratedStepBackMs = 2000;

/**
 * The clock is read outside the subquery, so after the lock is held: what waited long for the lock must not judge by
 * the time at which it began to wait.
 */
const lockHead = statement(
  'lock_head',
  `WITH head AS MATERIALIZED (
     SELECT "epoch", "size", "last_hash", "frontier", "logged_at" FROM "ledger_heads" WHERE "workspace_id" = $1 FOR UPDATE)
   SELECT head.*, date_trunc('milliseconds', clock_timestamp()) AS "clock" FROM head`,
);

const writeHead = statement(
  'write_head',
  `UPDATE "ledger_heads" SET "epoch" = $2, "size" = $3, "last_hash" = $4, "frontier" = $5, "logged_at" = $6 WHERE "workspace_id" = $1`,
);

export function postgresTransactor(pool: pg.Pool, workspace: string): Transactor {
  const withHeadAnd: Transactor['withHeadAnd'] = async (read, work) => {
    const client = await pool.connect();
    // Without a listener, a connection that breaks between two statements would end the process; the next statement reports it.
    const ignore = (): void => undefined;
    client.on('error', ignore);
    let broken = false;
    try {
      const transaction: OpenTransaction = { client, workspace, head: null };
      const tx = openTransaction(transaction);
      let value;
      try {
        // In this order on one connection: the server runs them one after another, the reads behind the lock.
        const [, head, found] = await Promise.all([client.query('BEGIN'), takeHead(client, workspace), read(tx)]);
        transaction.head = head;
        value = await work(tx, { epoch: head.epoch, size: BigInt(head.frontier.size), now: head.now }, found);
      } finally {
        endTransaction(tx);
      }
      await finish(client, workspace, transaction.head);
      return value;
    } catch (error) {
      broken = error instanceof CommitUnknown || !(await rollback(client));
      throw error;
    } finally {
      client.removeListener('error', ignore);
      client.release(broken);
    }
  };
  return {
    withHeadAnd,
    withHead: (work) => withHeadAnd(async () => undefined, work),
    raiseEpoch: async (tx) => {
      const { head } = transactionOf(tx);
      head.epoch += 1n;
      head.changed = true;
      return head.epoch;
    },
  };
}

async function takeHead(client: pg.ClientBase, workspace: string): Promise<HeadInHand> {
  const [row] = await rows(client, lockHead, [workspace]);
  if (!row) throw new Error(`The database has no workspace ${workspace}.`);
  const { epoch, frontier, lastHash, loggedAt } = readHead(row);
  const clock = time(row['clock']);
  if (Date.parse(loggedAt) - Date.parse(clock) > toleratedStepBackMs) throw new ClockSteppedBack(loggedAt, clock);
  return { epoch, frontier, lastHash, now: clock > loggedAt ? clock : loggedAt, changed: false };
}

/**
 * The head's update and COMMIT go out together. How COMMIT ended decides, whichever of the two is heard of first: a
 * connection that breaks fails both, and then the update's plain error would pass for "not committed".
 */
async function finish(client: pg.ClientBase, workspace: string, head: HeadInHand): Promise<void> {
  const [written, committed] = await Promise.allSettled([putHead(client, workspace, head), commit(client)]);
  if (committed.status === 'fulfilled') {
    if (written.status === 'rejected') throw new CommitUnknown(written.reason);
    return;
  }
  // Where the server refused to commit because the update failed, the update's error says why.
  const cause: unknown = written.status === 'rejected' && !isCommitUnknown(committed.reason) ? written.reason : committed.reason;
  throw cause;
}

/** A crash before this, or between this and the commit, undoes rows and head together: the log never has one without the other. */
async function putHead(client: pg.ClientBase, workspace: string, head: HeadInHand): Promise<void> {
  if (!head.changed) return;
  const { epoch, frontier, lastHash, now } = head;
  const values = [workspace, epoch, frontier.size, lastHash, packFrontier(frontier), now];
  if ((await touched(client, writeHead, values)) !== 1) throw new Error('The head of the log is gone.');
}

async function commit(client: pg.ClientBase): Promise<void> {
  let command: string;
  try {
    command = (await client.query('COMMIT')).command;
  } catch (cause) {
    // An ERROR of the server is its word that nothing was committed. Everything else (the end of the connection, also one
    // that the server announces as FATAL, or no answer in time) leaves it open.
    if (cause instanceof pg.DatabaseError && cause.severity === 'ERROR') throw cause;
    throw new CommitUnknown(cause);
  }
  // To the COMMIT of a transaction in which a statement failed the server answers ROLLBACK, without an error.
  if (command !== 'COMMIT') throw new Error('A statement of the transaction failed and its error was dropped; nothing was committed.');
}

/** False when the connection cannot be used again. */
async function rollback(client: pg.ClientBase): Promise<boolean> {
  try {
    await client.query('ROLLBACK');
    return true;
  } catch {
    // The server undoes what a broken connection leaves behind; the error that led here is the one to report.
    return false;
  }
}
