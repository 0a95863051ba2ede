import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import type { KeptTightened } from '@/lib/ports/tightened-memory';
import { digestText } from '@/lib/shared/encoding';

import { fileTightenedMemory } from './file-tightened-memory';
import { randomIds } from './random-ids';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'countersign-tightened-'));
});
afterEach(async () => {
  await rm(folder, { recursive: true });
});

const receipt = randomIds().make('receipt');
const kept = (size: number, ...revoked: readonly string[]): KeptTightened => ({
  read: { size, root: digestText(new Uint8Array(32).fill(size)) },
  switches: [{ scope: 'all', target: '', receipt, epoch: 3, by: 'somebody', at: '2026-01-31T09:05:00.000Z', reason: 'Look first.', proven: true }],
  revoked, subjects: [{ credential: 'crd_a', subject: 'desk' }], keys: [{ key: 'k', index: 4 }], agents: [{ agent: 'helper', at: '2026-01-31T09:05:00.000Z', receipt, proven: true }], registrants: [], people: [], grants: [], ended: [], proposals: [], roots: [],
});

describe('what is kept beside the pins of what was stopped', () => {
  it('comes back as it was, to any process of the state directory', async () => {
    expect(await fileTightenedMemory(folder).read()).toEqual({ ok: true, value: undefined });
    await fileTightenedMemory(folder).keep(kept(7, 'crd_a'));
    expect(await fileTightenedMemory(folder).read()).toEqual({ ok: true, value: kept(7, 'crd_a') });
  });

  it('is not set back by a process that has read less', async () => {
    const memory = fileTightenedMemory(folder);
    await memory.keep(kept(7, 'crd_a'));
    await memory.keep(kept(5));
    expect(await memory.read()).toMatchObject({ value: kept(7, 'crd_a') });
    // Of a history that was given up, more was read than there is now.
    await memory.keep(kept(5, 'crd_a', 'crd_b'), kept(7).read);
    expect(await memory.read()).toMatchObject({ value: kept(5, 'crd_a', 'crd_b') });
  });

  it('is never taken for nothing where it cannot be read', async () => {
    for (const text of ['', '{', '{"schema":"countersign/tightened/v1"}']) {
      await writeFile(path.join(folder, 'tightened.json'), text);
      expect(await fileTightenedMemory(folder).read()).toMatchObject({ ok: false, error: { code: 'trust_root_unpinned' } });
    }
  });
});
