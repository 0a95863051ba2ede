import { Worker } from 'node:worker_threads';

import { CommitUnknown } from '@/lib/ports/store-faults';
import type { CommitOutcome, Draft } from '@/lib/services/draft';
import type { GroupCommit } from '@/lib/services/group-commit';
import type { KeyStanding } from '@/lib/services/keyring';

import type { FromCommitThread, Numbered, Settled, ToCommitThread } from './commit-messages';

export type CommitThread = GroupCommit & {
  /** Which keys may sign tree heads, before any draft that is submitted later is committed. */
  readonly follow: (standing: KeyStanding) => void;
  /** Writes what was begun, then ends the thread. */
  readonly stop: () => Promise<void>;
  /** Settles when the thread is gone. Whoever did not stop it must end the process: nothing can be committed any more. */
  readonly ended: Promise<void>;
};

type Waiting = { readonly resolve: (outcome: CommitOutcome) => void; readonly reject: (cause: unknown) => void };

/** Texts of receipts and rows: the thread's garbage is as short-lived as the plane's. */
const youngGenerationMb = 96;

/**
 * Group commit in a thread of its own. Building rows, talking to the database and hashing leaves take as long as deciding
 * does; beside it they take a second core. A thread that dies leaves the drafts it held as not known to be durable, and
 * every later one refused: nothing is ever answered that was not committed.
 */
export async function startCommitThread(file: URL): Promise<CommitThread> {
  const worker = new Worker(file, { resourceLimits: { maxYoungGenerationSizeMb: youngGenerationMb } });
  const waiting = new Map<number, Waiting>();
  let unsent: Numbered<Draft>[] = [];
  let next = 0;
  let over: Error | null = null;
  let whenIdle: (() => void)[] = [];

  const end = (cause: Error): void => {
    over ??= cause;
    for (const { reject } of waiting.values()) reject(new CommitUnknown(over));
    waiting.clear();
    settleIdle();
  };
  const settleIdle = (): void => {
    if (waiting.size > 0) return;
    for (const settle of whenIdle) settle();
    whenIdle = [];
  };
  const hear = (message: FromCommitThread): void => {
    if (message.kind !== 'settled') return;
    for (const { number, value } of message.results) {
      settle(waiting.get(number), value);
      waiting.delete(number);
    }
    settleIdle();
  };
  const send = (): void => {
    const drafts = unsent;
    unsent = [];
    worker.postMessage({ kind: 'drafts', drafts } satisfies ToCommitThread);
  };

  worker.on('message', hear);
  const ended = new Promise<void>((resolve) => {
    worker.once('exit', (code) => {
      end(new Error(`The commit thread ended with ${String(code)}.`));
      resolve();
    });
  });
  // An error of the thread is followed by its exit; the first to be heard of says why. One that ends without a word has not begun either.
  await new Promise<void>((resolve, reject) => {
    worker.once('message', () => resolve());
    worker.on('error', (cause: Error) => {
      end(cause);
      reject(cause);
    });
    void ended.then(() => reject(over ?? new Error('The commit thread has ended.')));
  });

  return {
    submit: (draft) =>
      new Promise((resolve, reject) => {
        if (over) return reject(over);
        const number = next++;
        waiting.set(number, { resolve, reject });
        // A turn of the event loop lets drafts that are being signed go out with this one.
        if (unsent.length === 0) setImmediate(send);
        unsent.push({ number, value: draft });
      }),
    follow: (standing) => worker.postMessage({ kind: 'keys', standing } satisfies ToCommitThread),
    idle: () => new Promise((resolve) => (waiting.size > 0 ? void whenIdle.push(resolve) : resolve())),
    stop: async () => {
      worker.postMessage({ kind: 'stop' } satisfies ToCommitThread);
      await ended;
    },
    ended,
  };
}

function settle(waiting: Waiting | undefined, settled: Settled): void {
  if ('outcome' in settled) return waiting?.resolve(settled.outcome);
  const { name, message, stack } = settled.error;
  waiting?.reject(Object.assign(new Error(message), { name, ...(stack === undefined ? {} : { stack }) }));
}
