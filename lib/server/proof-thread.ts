import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';

import { projectRoot } from './project-root';
import type { FromProofThread, ToProofThread } from './proof-messages';

/** Bounds on one piece of work. */
export type ProofBounds = { readonly seconds: number; readonly megabytes: number };

export const proofBounds: ProofBounds = { seconds: 120, megabytes: 1024 };

export type ThreadEnd = { readonly why: 'time' | 'memory' | 'cancelled' | 'crashed'; readonly detail: string };

type Answer = Exclude<FromProofThread, { kind: 'progress' | 'found' }>;

export type ThreadListener = (message: Extract<FromProofThread, { kind: 'progress' | 'found' }>) => void;

/** In a bundle and in Next's output alike the thread's program lies where it was bundled to. */
export const proofThreadFile = (): URL => pathToFileURL(path.join(/* turbopackIgnore: true */ projectRoot(), '.build', 'proof-thread.mjs'));

/**
 * One piece of work in a thread of its own, which ends with it: whatever it does, whoever serves pages goes on. A bound, a signal or a crash
 * ends the thread at once, and says which it was. The thread has its own heap, so running out of memory ends it and not the process.
 */
export function runInProofThread(file: URL, asked: ToProofThread, bounds: ProofBounds, signal: AbortSignal, listen: ThreadListener): Promise<{ readonly answer: Answer } | { readonly ended: ThreadEnd }> {
  return new Promise((resolve) => {
    const worker = new Worker(file, { resourceLimits: { maxOldGenerationSizeMb: bounds.megabytes } });
    let over = false;
    const finish = (outcome: { readonly answer: Answer } | { readonly ended: ThreadEnd }): void => {
      if (over) return;
      over = true;
      clearTimeout(timer);
      signal.removeEventListener('abort', cancel);
      // The answer is in, or never will be: what the thread still holds is of no use.
      void worker.terminate();
      resolve(outcome);
    };
    const end = (why: ThreadEnd['why'], detail: string): void => finish({ ended: { why, detail } });
    const cancel = (): void => end('cancelled', 'It was cancelled.');
    const timer = setTimeout(() => end('time', `It took longer than ${String(bounds.seconds)} s.`), bounds.seconds * 1000);
    timer.unref();
    signal.addEventListener('abort', cancel);
    worker.on('message', (message: FromProofThread) => {
      if (over) return;
      if (message.kind === 'progress' || message.kind === 'found') listen(message);
      else finish({ answer: message });
    });
    worker.on('error', (cause: Error & { readonly code?: string }) => {
      if (cause.code === 'ERR_WORKER_OUT_OF_MEMORY') end('memory', `It took more than ${String(bounds.megabytes)} MB of memory.`);
      else end('crashed', cause.message);
    });
    worker.on('exit', (code) => end('crashed', `The thread ended with ${String(code)}.`));
    if (signal.aborted) cancel();
    else worker.postMessage(asked);
  });
}
