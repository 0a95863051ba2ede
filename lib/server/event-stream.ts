import { liveViewer, type SessionClaims } from '@/lib/auth/live-viewer';
import type { ConsoleEvent } from '@/lib/contracts/console/events';
import type { Viewer } from '@/lib/contracts/console/viewer';
import type { DomainEvent } from '@/lib/ports/event-bus';
import { visibleEvent } from '@/lib/services/console/visible-event';
import { utf8 } from '@/lib/shared/encoding';
import { fail, ok, type Result } from '@/lib/shared/result';

import type { ConsoleRuntime } from './console-runtime';

/** A comment this often keeps proxies from closing a quiet stream; the session is checked again with each. Milliseconds. */
const heartbeatMs = 15_000;
/** How soon a browser comes back after a break, milliseconds. */
const comeBackMs = 1_000;
/** Streams that one person, and this process, may have open. A browser tab has one. */
const mostPerPerson = 20;
const mostInAll = 1_000;
/** Pieces that may wait for a reader. One that is further behind is cut off, and comes back to the present. */
const mostUnread = 500;

const open = new Map<string, number>();

type Streaming = { readonly claims: SessionClaims; readonly viewer: Viewer; readonly signal: AbortSignal; readonly everyMs?: number };

/**
 * A viewer's events, for as long as their session counts: it is looked at again with each heartbeat, and at once when it may have ended. There is no
 * backlog: the first event, and the first after every gap, is `look`, and whoever gets it reads again what it shows. So nothing that was missed stays
 * missing, whichever process the reader comes back to. Failures: `rate_limited`.
 */
export function openEventStream(runtime: Pick<ConsoleRuntime, 'parts' | 'logger'>, streaming: Streaming): Result<ReadableStream<Uint8Array>> {
  const { person } = streaming.viewer;
  const mine = open.get(person) ?? 0;
  const all = [...open.values()].reduce((sum, count) => sum + count, 0);
  if (mine >= mostPerPerson || all >= mostInAll) return fail('rate_limited', 'Too many open event streams.');
  open.set(person, mine + 1);
  let close = (): void => undefined;
  return ok(
    new ReadableStream<Uint8Array>({
      start: (controller) => {
        close = connect(runtime, streaming, controller);
      },
      cancel: () => {
        close();
      },
    }),
  );
}

/**
 * What is in force is looked at before anybody is told that it changed: who reads on hearing of it would be shown what was, and never be
 * told again. A look that had begun before the change is shared, so one may not be enough.
 */
async function catchUp({ inForce, log }: ConsoleRuntime['parts']): Promise<void> {
  const { epoch } = await log.head();
  for (let looks = 0; looks < 3 && (await inForce.current()).epoch < epoch; looks += 1) await inForce.refresh();
}

function connect({ parts, logger }: Pick<ConsoleRuntime, 'parts' | 'logger'>, { claims, viewer: first, signal, everyMs = heartbeatMs }: Streaming, controller: ReadableStreamDefaultController<Uint8Array>): () => void {
  let viewer = first;
  let closed = false;
  const write = (text: string): void => {
    if (closed) return;
    if ((controller.desiredSize ?? 0) < -mostUnread) return close();
    controller.enqueue(utf8(text));
  };
  const send = (event: ConsoleEvent): void => {
    write(`data: ${JSON.stringify(event)}\n\n`);
  };
  /** True: the session counts still, for a viewer of now. */
  const check = async (): Promise<boolean> => {
    const now = await liveViewer(parts, claims).catch((cause: unknown) => {
      logger.warn('a session could not be checked', { cause });
      return undefined;
    });
    if (now) viewer = now;
    else close();
    return now !== undefined;
  };
  const tell = async (event: DomainEvent): Promise<void> => {
    if (event.kind === 'sessions_ended' && event.id === first.person) return void (await check());
    if (event.kind === 'epoch_raised') {
      // Whoever looks may have become another, or nobody.
      await catchUp(parts);
      if (!(await check())) return;
    }
    const shown = await visibleEvent(parts.reads, viewer, event);
    if (shown) send(shown);
  };
  const hear = (event: DomainEvent): void => {
    tell(event).catch((cause: unknown) => {
      logger.warn('an event could not be judged', { cause });
      send({ kind: 'look' });
    });
  };
  const stop = parts.events.subscribe(hear, () => {
    send({ kind: 'look' });
  });
  const timer = setInterval(() => void check().then((counts) => counts && write(': still here\n\n')), everyMs);
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
  if (signal.aborted) close();
  write(`retry: ${String(comeBackMs)}\n\n`);
  send({ kind: 'look' });
  return close;
}
