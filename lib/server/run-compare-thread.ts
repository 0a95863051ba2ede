import { parentPort } from 'node:worker_threads';

import { changeOf } from '@/lib/services/judge-change';

import type { FromCompareThread, ToCompareThread } from './compare-thread';
import { compilePolicyText } from './compile-policy-text';

/** The other end of `judgeInThread`: one pair of texts, one answer. */
export function runCompareThread(): void {
  const port = parentPort;
  if (!port) throw new Error('This runs as a thread.');
  port.once('message', ({ base, next }: ToCompareThread) => {
    port.postMessage({ change: changeOf(base, next, compilePolicyText) } satisfies FromCompareThread);
  });
}
