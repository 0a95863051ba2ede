import { describe, expect, it, vi } from 'vitest';

import { SignerUnavailable } from '@/lib/ports/signer';
import type { CheckpointExport } from '@/lib/services/checkpoint-export';
import type { Coverage } from '@/lib/services/cover-log';

import { checkpointing } from './checkpointing';
import { createLogger } from './logger';

function watched(cover: () => Promise<Coverage>, exports: readonly CheckpointExport[] = []) {
  const lines: string[] = [];
  let now = 0;
  const running = checkpointing({ cover, exports, logger: createLogger('plane', { level: 'info', write: (line) => lines.push(line) }), now: () => now, everyMs: 1 });
  return { running, lines, wait: (ms: number) => void (now += ms), said: (words: string) => lines.filter((line) => line.includes(words)).length };
}

const anExport = (round: CheckpointExport['round'], state = { size: null, failing_since: null, fault: null as string | null }): CheckpointExport => ({ name: 'file', state: () => state, round });

describe('checkpoints beside deciding', () => {
  it('cover the log, and the health says how far', async () => {
    const { running } = watched(async () => ({ size: 7, covered: 7 }));
    await vi.waitUntil(() => running.health().size === 7);
    expect(running.health()).toEqual({ size: 7, covered: 7, behind_since: null, fault: null, exports: [] });
    await running.stop();
  });

  it('that no key may sign, or whose key service fails, are behind, logged once, and over when they are over', async () => {
    let answer: () => Promise<Coverage> = async () => ({ size: 5, covered: 2 });
    const { running, wait, said, lines } = watched(() => answer());
    await vi.waitUntil(() => running.health().fault !== null);
    expect(running.health()).toMatchObject({ fault: 'No key of this process may sign the tree head.', behind_since: null });
    wait(6000);
    expect(running.health().behind_since).toBe(new Date(0).toISOString());
    answer = () => Promise.reject(new SignerUnavailable('The key service did not answer within 50 ms.'));
    await vi.waitUntil(() => running.health().fault?.includes('key service'));
    expect(running.health()).toMatchObject({ size: 5, covered: 2, behind_since: new Date(0).toISOString() });
    answer = async () => ({ size: 9, covered: 9 });
    await vi.waitUntil(() => running.health().fault === null);
    expect(running.health()).toMatchObject({ size: 9, covered: 9, behind_since: null });
    expect(said('covered by a checkpoint again')).toBe(1);
    await running.stop();
    expect(lines.length).toBeLessThan(4);
  });

  it('a fault that nobody expected shows no more than that there is one', async () => {
    const { running, said } = watched(() => Promise.reject(new Error('password=hunter2')));
    await vi.waitUntil(() => running.health().fault !== null);
    await vi.waitUntil(() => said('cannot be covered') > 0);
    expect(JSON.stringify(running.health())).not.toContain('hunter2');
    await running.stop();
    expect(said('cannot be covered')).toBe(1);
  });

  it('a key service that hangs keeps no checkpoint from being exported', async () => {
    let release: (coverage: Coverage) => void = () => undefined;
    const hanging = new Promise<Coverage>((resolve) => (release = resolve));
    let rounds = 0;
    const { running } = watched(() => hanging, [anExport(async () => void rounds++)]);
    await vi.waitUntil(() => rounds > 3);
    release({ size: 1, covered: 1 });
    await running.stop();
  });

  it('when the process ends, the log is covered and exported once more, in that order', async () => {
    const done: string[] = [];
    const { running } = watched(async () => {
      done.push('cover');
      return { size: 1, covered: 1 };
    }, [anExport(async (_now, final) => void done.push(final ? 'final export' : 'export'))]);
    await vi.waitUntil(() => done.length > 3);
    await running.stop();
    expect(done.slice(-2)).toEqual(['cover', 'final export']);
    const after = done.length;
    await new Promise((resolve) => setImmediate(resolve));
    expect(done).toHaveLength(after);
  });

  it('an export that fails and comes back is logged as both', async () => {
    const state = { size: null, failing_since: null, fault: null as string | null };
    let rounds = 0;
    const { running, said } = watched(async () => ({ size: 1, covered: 1 }), [anExport(async () => {
      rounds++;
      state.fault = rounds < 3 ? 'The disk is full.' : null;
    }, state)]);
    await vi.waitUntil(() => said('exported again') === 1);
    expect(said('could not be exported')).toBe(1);
    await running.stop();
  });
});
