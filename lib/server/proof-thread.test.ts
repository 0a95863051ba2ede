import { describe, expect, it } from 'vitest';

import type { ProofWork } from '@/lib/services/proof/proof-work';

import { runInProofThread } from './proof-thread';

const work: ProofWork = { base: null, next: { text: '', format: 'yaml', digest: 'a'.repeat(64) as ProofWork['next']['digest'] }, tests: [], formerTests: [], groups: [], range: null };
const bounds = { seconds: 60, megabytes: 64 };

/** A thread's program that answers what it is asked as this says. */
const threadThat = (does: string): URL => new URL(`data:text/javascript,${encodeURIComponent(`import { parentPort } from 'node:worker_threads'; parentPort.on('message', () => { ${does} });`)}`);

const run = (does: string, signal = new AbortController().signal, changes: Partial<typeof bounds> = {}, heard: unknown[] = []) =>
  runInProofThread(threadThat(does), { kind: 'prove', work }, { ...bounds, ...changes }, signal, (message) => heard.push(message));

describe('work in a thread of its own', () => {
  it('is answered, with what it told on the way in order', async () => {
    const heard: unknown[] = [];
    const told = `parentPort.postMessage({ kind: 'progress', progress: { phase: 'comparing', percent: 50 } }); parentPort.postMessage({ kind: 'found', soFar: { open: [] } });`;
    const outcome = await run(`${told} parentPort.postMessage({ kind: 'failed', message: 'so it is' });`, undefined, {}, heard);
    expect(outcome).toEqual({ answer: { kind: 'failed', message: 'so it is' } });
    expect(heard).toEqual([{ kind: 'progress', progress: { phase: 'comparing', percent: 50 } }, { kind: 'found', soFar: { open: [] } }]);
  });

  it('that ends without a word, or with a fault, is a crash, and this process goes on', async () => {
    expect(await run('process.exit(3);')).toEqual({ ended: { why: 'crashed', detail: 'The thread ended with 3.' } });
    expect(await run(`throw new Error('It broke.');`)).toEqual({ ended: { why: 'crashed', detail: 'It broke.' } });
  });

  it('that takes more memory than it may is ended by that bound alone', async () => {
    expect(await run('const all = []; for (;;) all.push(new Array(100000).fill(0).map(() => ({})));')).toMatchObject({ ended: { why: 'memory' } });
  });

  it('that never ends is ended by its time, also while it computes', async () => {
    expect(await run('for (;;) {}', undefined, { seconds: 0.2 })).toMatchObject({ ended: { why: 'time' } });
  });

  it('is cancelled at once, also while it computes, and before it began', async () => {
    const stop = new AbortController();
    const running = run(`parentPort.postMessage({ kind: 'progress', progress: { phase: 'comparing', percent: 0 } }); for (;;) {}`, stop.signal, {}, { push: () => stop.abort() } as unknown as unknown[]);
    expect(await running).toMatchObject({ ended: { why: 'cancelled' } });
    expect(await run('for (;;) {}', AbortSignal.abort())).toMatchObject({ ended: { why: 'cancelled' } });
  });
});
