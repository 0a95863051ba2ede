import { viewerOf } from '@/lib/auth/viewer-of';
import type { ConsoleEvent } from '@/lib/contracts/console/events';
import type { Viewer } from '@/lib/contracts/console/viewer';
import type { DomainEvent } from '@/lib/ports/event-bus';
import { visibleEvent } from '@/lib/services/console/visible-event';
import { utf8 } from '@/lib/shared/encoding';
import { fail, ok, type Result } from '@/lib/shared/result';

import type { ConsoleRuntime } from './console-runtime';

/** A comment this often keeps proxies from closing a quiet stream; the session is checked again with each. Milliseconds. */
const heartbeatMs = 15_000;
/** Streams that one person, and this process, may have open. A browser tab has one. */
const mostPerPerson = 20;
const mostInAll = 1_000;

const open = new Map<string, number>();

/**
 * A viewer's events. There is no backlog: the first event, and the first after every gap, is `look`, and whoever gets it
 * reads again what it shows. So nothing that was missed stays missing. Failures: `rate_limited`.
 */
export function openEventStream(runtime: ConsoleRuntime, viewer: Viewer, signal: AbortSignal): Result<ReadableStream<Uint8Array>> {
  const mine = open.get(viewer.person) ?? 0;
  const all = [...open.values()].reduce((sum, count) => sum + count, 0);
  if (mine >= mostPerPerson || all >= mostInAll) return fail('rate_limited', 'Too many open event streams.');
  open.set(viewer.person, mine + 1);
  let close = (): void => undefined;
  return ok(
    new ReadableStream<Uint8Array>({
      start: (controller) => {
        close = connect(runtime, viewer, controller, signal);
      },
      cancel: () => {
        close();
      },
    }),
  );
}

function connect({ parts, logger }: ConsoleRuntime, first: Viewer, controller: ReadableStreamDefaultController<Uint8Array>, signal: AbortSignal): () => void {
  let viewer = first;
  const since = parts.clock.now();
  let closed = false;
  const write = (text: string): void => {
    if (!closed) controller.enqueue(utf8(text));
  };
  const send = (event: ConsoleEvent): void => {
    write(`data: ${JSON.stringify(event)}\n\n`);
  };
  const hear = (event: DomainEvent): void => {
    visibleEvent(parts.reads, viewer, event).then(
      (shown) => {
        if (shown) send(shown);
      },
      (cause: unknown) => {
        logger.warn('an event could not be judged', { cause });
        send({ kind: 'look' });
      },
    );
  };
  const check = async (): Promise<void> => {
    const [person, inForce] = await Promise.all([parts.people.byId(first.person), parts.inForce.current()]);
    // A stream that outlives a sign-out everywhere would go on naming ids to whoever holds the old session.
    const signedOut = typeof person?.signed_out_at === 'string' && person.signed_out_at > since;
    const now = person?.suspended_at === null && !signedOut ? viewerOf(person, inForce) : undefined;
    if (!now) {
      close();
      return;
    }
    viewer = now;
    write(': still here\n\n');
  };
  const stop = parts.events.subscribe(hear, () => {
    send({ kind: 'look' });
  });
  const timer = setInterval(() => {
    check().catch((cause: unknown) => {
      logger.warn('a session could not be checked', { cause });
      close();
    });
  }, heartbeatMs);
  function close(): void {
    if (closed) return;
    closed = true;
    clearInterval(timer);
    stop();
    const left = (open.get(first.person) ?? 1) - 1;
    if (left > 0) open.set(first.person, left);
    else open.delete(first.person);
    try {
      controller.close();
    } catch {
      // The reader is gone already: that is what closing asked for.
    }
  }
  signal.addEventListener('abort', close, { once: true });
  send({ kind: 'look' });
  return close;
}
