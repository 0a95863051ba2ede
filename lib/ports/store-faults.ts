/** The database's clock is more than two seconds behind the log's time: nothing is decided until it has caught up. */
export class ClockSteppedBack extends Error {
  override readonly name = 'ClockSteppedBack';
  constructor(
    readonly loggedAt: string,
    readonly clock: string,
  ) {
    super(`The database's clock says ${clock}, but the log has reached ${loggedAt}.`);
  }
}

/**
 * The connection broke while committing: the transaction is durable or gone, and nobody here knows which. Trying again
 * would double it when it is durable, so whoever catches this looks at the database first.
 */
export class CommitUnknown extends Error {
  override readonly name = 'CommitUnknown';
  constructor(cause: unknown) {
    super('The connection broke while committing; whether the transaction is durable is not known.', { cause });
  }
}

/** By name: a framework may load this module twice, and then `instanceof` of the one fails for the other. */
export const isCommitUnknown = (error: unknown): error is CommitUnknown => error instanceof Error && error.name === 'CommitUnknown';
export const isClockSteppedBack = (error: unknown): error is ClockSteppedBack => error instanceof Error && error.name === 'ClockSteppedBack';
