import pg from 'pg';

export type PoolSettings = {
  readonly url: string;
  /** Connections at most. */
  readonly max?: number;
  /** Longest wait for the head lock: all writers stand in that line, and a batch takes milliseconds. */
  readonly lockTimeoutMs?: number;
  /** Plan each statement once. For whoever only looks rows up by key: a plan made anew for each batch costs more than it saves. */
  readonly genericPlans?: boolean;
  /** A connection that lay idle broke: worth a log line, nothing else; the pool makes a new one. */
  readonly onIdleError: (error: Error) => void;
};

const statementTimeoutMs = 10_000;

/**
 * The one pool of a process. Every wait is bounded: for a connection, for a lock, for a statement (by the server), for an
 * answer (by us, when the server or the network is gone), and for the next statement of an open transaction, so that a
 * process that hangs while it holds the head lock loses it.
 */
export function createPool({ url, max = 10, lockTimeoutMs = 5_000, genericPlans = false, onIdleError }: PoolSettings): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max,
    connectionTimeoutMillis: 5_000,
    lock_timeout: lockTimeoutMs,
    statement_timeout: statementTimeoutMs,
    query_timeout: statementTimeoutMs + 5_000,
    idle_in_transaction_session_timeout: 15_000,
    // Statements that do not wait for one another go out together: a commit takes a few round trips, not one a statement.
    pipeline: true,
    ...(genericPlans ? { options: '-c plan_cache_mode=force_generic_plan' } : {}),
    keepAlive: true,
    application_name: 'countersign',
  });
  pool.on('error', onIdleError);
  return pool;
}
