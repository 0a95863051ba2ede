import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';

import { changeClasses, type ChangeClass } from '@/lib/authority/policy-revision';
import type { JudgeChange, JudgedText } from '@/lib/services/judge-change';

import { projectRoot } from './project-root';

/** What the thread is asked, and what it says. */
export type ToCompareThread = { readonly base: JudgedText; readonly next: JudgedText };
export type FromCompareThread = { readonly change: ChangeClass };

/** Longer than any search that its bound on classes lets run; a host that is slower finds nothing out. */
const mostSeconds = 120;

export const compareThreadFile = (): URL => pathToFileURL(path.join(/* turbopackIgnore: true */ projectRoot(), '.build', 'compare-thread.mjs'));

/** Finds out classes of changes in a thread that lives as long as one of them takes: whoever serves goes on serving. Rejects where it ends without an answer. */
export const judgeInThread = (file: () => URL = compareThreadFile): JudgeChange => (base, next) =>
  new Promise((resolve, reject) => {
    const worker = new Worker(file(), { resourceLimits: { maxOldGenerationSizeMb: 512 } });
    const timer = setTimeout(() => void worker.terminate(), mostSeconds * 1000);
    timer.unref();
    worker.once('message', ({ change }: FromCompareThread) => {
      void worker.terminate();
      const known = changeClasses.find((one) => one === change);
      if (known) resolve(known);
      else reject(new Error('The thread names no class.'));
    });
    worker.once('error', reject);
    worker.once('exit', (code) => {
      clearTimeout(timer);
      reject(new Error(`The thread that compares policies ended with ${String(code)}.`));
    });
    worker.postMessage({ base, next } satisfies ToCompareThread);
  });
