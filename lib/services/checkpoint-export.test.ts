import { describe, expect, it } from 'vitest';

import { originOf, parseCheckpoint, signCheckpoint } from '@/lib/ledger/checkpoint';
import { appendLeaf, emptyFrontier, rootOf } from '@/lib/ledger/merkle/frontier';
import { hashLeaf } from '@/lib/ledger/merkle/hash';
import type { CheckpointSink } from '@/lib/ports/checkpoint-sink';
import { utf8 } from '@/lib/shared/encoding';
import { fail, ok, type Result } from '@/lib/shared/result';
import { testId } from '@/lib/testing/ledger-builder';
import { memoryTiles } from '@/lib/testing/memory-tiles';
import { nodeSha256 as sha256, testKey } from '@/lib/testing/node-crypto';

import { checkpointExport, exportMs } from './checkpoint-export';

const workspace = testId('workspace', 1);
const key = testKey('plane');

/** A log that grows, shrinks and is replaced as the test says, with a checkpoint at its end. */
function growingLog() {
  let leaves: readonly Uint8Array[] = [];
  const note = (of = workspace) => {
    const root = rootOf(sha256, leaves.reduce((so, leaf) => appendLeaf(sha256, so, leaf), emptyFrontier));
    return signCheckpoint(sha256, { origin: originOf(of), size: leaves.length, root, extensions: [] }, key.publicKey, key.signer.sign);
  };
  return {
    be: (name: string, count: number) => void (leaves = Array.from({ length: count }, (_, n) => hashLeaf(sha256, utf8(`${name} ${n}`)))),
    note,
    reader: {
      latestCheckpoint: async () => (leaves.length === 0 ? undefined : { size: BigInt(leaves.length), note: await note(), created_at: '2030-01-01T00:00:00.000Z' }),
      get hashes() {
        return memoryTiles(leaves);
      },
    },
  };
}

function place(newest: string | null = null) {
  const given = { notes: newest === null ? [] : [newest], answer: ok({ kind: 'taken' }) as Result<{ kind: 'taken' } | { kind: 'later'; at: number }>, asked: 0 };
  const sink: CheckpointSink = {
    name: 'file',
    newest: async () => ok(given.notes.at(-1) ?? null),
    take: async (note) => {
      given.asked++;
      if (given.answer.ok && given.answer.value.kind === 'taken') given.notes.push(note);
      return given.answer;
    },
  };
  return { given, sink };
}

const sizes = (notes: readonly string[]) =>
  notes.map((note) => {
    const head = parseCheckpoint(note);
    return head.ok ? head.value.size : null;
  });

const exporting = (log: ReturnType<typeof growingLog>, sink: CheckpointSink) => checkpointExport({ workspace, reader: log.reader, sha256 }, sink);

describe('exporting checkpoints', () => {
  it('hands out the newest each minute while the log grows, and nothing twice', async () => {
    const log = growingLog();
    const { given, sink } = place();
    const one = exporting(log, sink);
    await one.round(0, false);
    expect(given.notes).toEqual([]);
    log.be('entry', 5);
    await one.round(1000, false);
    await one.round(5000, false);
    await one.round(exportMs + 5000, false);
    log.be('entry', 9);
    await one.round(exportMs + 6000, false);
    expect(sizes(given.notes)).toEqual([5]);
    await one.round(exportMs * 2 + 5000, false);
    expect(sizes(given.notes)).toEqual([5, 9]);
    expect(one.state()).toEqual({ size: 9, failing_since: null, fault: null });
  });

  it('hands out what is left when the process ends, whatever time it is', async () => {
    const log = growingLog();
    const { given, sink } = place();
    const one = exporting(log, sink);
    log.be('entry', 3);
    await one.round(0, false);
    log.be('entry', 4);
    await one.round(10, true);
    expect(sizes(given.notes)).toEqual([3, 4]);
  });

  it('goes on from what an earlier process handed out', async () => {
    const log = growingLog();
    log.be('entry', 3);
    const { given, sink } = place(await log.note());
    log.be('entry', 8);
    await exporting(log, sink).round(0, false);
    expect(sizes(given.notes)).toEqual([3, 8]);
  });

  it.each<[string, (log: ReturnType<typeof growingLog>) => void]>([
    ['was set back', (log) => log.be('entry', 5)],
    ['was replaced by another of the same length', (log) => log.be('other', 7)],
    ['was replaced by a longer one', (log) => log.be('other', 20)],
  ])('a log that %s is found, and does not overwrite the evidence', async (_what, change) => {
    const log = growingLog();
    const { given, sink } = place();
    const one = exporting(log, sink);
    log.be('entry', 7);
    await one.round(0, false);
    change(log);
    await one.round(exportMs, false);
    expect(sizes(given.notes)).toEqual([7]);
    expect(one.state()).toMatchObject({ size: 7, failing_since: new Date(exportMs).toISOString(), fault: expect.stringContaining('does not go on') as string });
  });

  it('what was handed out before and is no checkpoint of this log is never overwritten', async () => {
    const log = growingLog();
    log.be('entry', 3);
    for (const before of ['half a checkpo', await log.note(testId('workspace', 2))]) {
      const { given, sink } = place(before);
      const one = exporting(log, sink);
      await one.round(0, true);
      expect(given.asked).toBe(0);
      expect(one.state().fault).not.toBeNull();
    }
  });

  it('a place that fails is tried again, the newest goes out then, and since when it failed is known meanwhile', async () => {
    const log = growingLog();
    const { given, sink } = place();
    const one = exporting(log, sink);
    log.be('entry', 3);
    given.answer = fail('unavailable', 'The disk is full.');
    await one.round(0, false);
    await one.round(10_000, false);
    expect(one.state()).toEqual({ size: null, failing_since: new Date(0).toISOString(), fault: 'The disk is full.' });
    expect(given.asked).toBe(2);
    log.be('entry', 6);
    given.answer = ok({ kind: 'taken' });
    await one.round(20_000, false);
    expect(sizes(given.notes)).toEqual([6]);
    expect(one.state()).toEqual({ size: 6, failing_since: null, fault: null });
  });

  it('a place that asks for peace is left in peace until then, and is still failing', async () => {
    const log = growingLog();
    const { given, sink } = place();
    const one = exporting(log, sink);
    log.be('entry', 3);
    given.answer = fail('unavailable', 'No.');
    await one.round(0, false);
    given.answer = ok({ kind: 'later', at: 30_000 });
    await one.round(6000, false);
    await one.round(12_000, false);
    expect(given.asked).toBe(2);
    expect(one.state().fault).toBe('No.');
    given.answer = ok({ kind: 'taken' });
    await one.round(30_000, false);
    expect(one.state()).toMatchObject({ size: 3, fault: null });
  });

  it('a place that throws is one that fails: nothing of it reaches the caller', async () => {
    const log = growingLog();
    log.be('entry', 3);
    const { sink } = place();
    const one = exporting(log, { ...sink, take: () => Promise.reject(new Error('Broken.')) });
    await one.round(0, true);
    expect(one.state().fault).toBe('Broken.');
  });
});
