import type pg from 'pg';

/** A connection of its own, not yet connected: one that listens cannot be lent by the pool. */
export type Connect = () => pg.Client;

type Handlers = {
  readonly hear: (payload: string) => void;
  /** From here on everything is heard; what was sent before, since the start or since a break, was not. */
  readonly listening: () => void;
};

const firstRetryMs = 100;
const lastRetryMs = 5000;
/** A connection that nothing is sent on looks well when the other side is gone: it is asked this often, and has as long to answer. */
const probeMs = 10_000;

/**
 * Listens on one channel until stopped, and connects again after every break, waiting longer each time up to 5 s. Whoever
 * listens is told each time that listening begins, because what was sent until then is gone.
 */
export function channelListener(channel: string, connect: Connect, handlers: Handlers, askMs = probeMs): { readonly start: () => void; readonly stop: () => void } {
  let client: pg.Client | undefined;
  let timer: NodeJS.Timeout | undefined;
  let retryMs = firstRetryMs;

  function start(): void {
    timer = undefined;
    const fresh = connect();
    client = fresh;
    fresh.on('notification', ({ payload }) => {
      if (client === fresh) handlers.hear(payload ?? '');
    });
    // A break comes as `error`, as `end`, or as a failed connect, and often as two of them: the first one counts.
    fresh.on('error', () => again(fresh));
    fresh.on('end', () => again(fresh));
    listen(fresh).catch(() => again(fresh));
  }

  async function listen(fresh: pg.Client): Promise<void> {
    await fresh.connect();
    await fresh.query(`LISTEN ${fresh.escapeIdentifier(channel)}`);
    if (client !== fresh) return;
    retryMs = firstRetryMs;
    handlers.listening();
    probe(fresh);
  }

  function probe(asked: pg.Client): void {
    const question = { text: 'SELECT 1', query_timeout: askMs };
    timer = setTimeout(() => {
      asked.query(question).then(() => client === asked && probe(asked), () => again(asked));
    }, askMs);
    timer.unref();
  }

  function again(broken: pg.Client): void {
    if (client !== broken) return;
    client = undefined;
    close(broken);
    clearTimeout(timer);
    timer = setTimeout(start, retryMs);
    // Waiting for a database is no reason for the process to stay.
    timer.unref();
    retryMs = Math.min(2 * retryMs, lastRetryMs);
  }

  function stop(): void {
    clearTimeout(timer);
    const last = client;
    client = undefined;
    retryMs = firstRetryMs;
    if (last) close(last);
  }

  return { start, stop };
}

/** Ends what may be broken already; its end is all that is wanted. */
function close(client: pg.Client): void {
  client.end().catch(() => undefined);
}
