import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { pinOfFingerprint } from '@/lib/authority/pins';
import { originOf, signCheckpoint } from '@/lib/ledger/checkpoint';
import { digestText, utf8 } from '@/lib/shared/encoding';
import { testId } from '@/lib/testing/ledger-builder';
import { nodeSha256 as sha256, testKey } from '@/lib/testing/node-crypto';

import { readPinnedHeads } from './pinned-heads';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'countersign-pinned-'));
});
afterEach(async () => {
  await rm(folder, { recursive: true });
});

const root = sha256(utf8('root'));
const put = (name: string, text: string) => writeFile(path.join(folder, name), text);
const pinAt = (size: number) => JSON.stringify({ ...pinOfFingerprint(digestText(root)), log: { size, root: digestText(root) } });
const key = testKey('plane');
const noteAt = (size: number) => signCheckpoint(sha256, { origin: originOf(testId('workspace', 1)), size, root, extensions: [] }, key.publicKey, key.signer.sign);
const read = () => readPinnedHeads({ stateDirectory: folder, checkpointFile: path.join(folder, 'log.checkpoint') });

describe('tree heads that are kept outside the database', () => {
  it('are the pins of every process, the exported checkpoint and the delivered one', async () => {
    await put('pin.json', JSON.stringify(pinOfFingerprint(digestText(root))));
    await put('pin.plane.json', pinAt(4));
    await put('pin.console.json', pinAt(3));
    await put('pin.plane.json.0a1b2c.draft', 'half a p');
    await put('log.checkpoint', await noteAt(7));
    await put('checkpoint-webhook.json', JSON.stringify({ note: await noteAt(6), failures: 0, retry_at: null }));
    expect(await read()).toEqual([3n, 4n, 7n, 6n].map((size) => ({ size, root })));
  });

  it('are none in a state directory that is empty, or not there', async () => {
    expect(await read()).toEqual([]);
    expect(await readPinnedHeads({ stateDirectory: path.join(folder, 'nothing'), checkpointFile: undefined })).toEqual([]);
  });

  it.each(['pin.plane.json', 'log.checkpoint', 'checkpoint-webhook.json'])('a damaged %s is never taken for one that was never there', async (name) => {
    await put(name, '{"half');
    await expect(read()).rejects.toThrow();
  });
});
