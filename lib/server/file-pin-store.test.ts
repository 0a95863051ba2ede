import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { pinOfFingerprint, type Pin } from '@/lib/authority/pins';
import type { Digest } from '@/lib/shared/ids';

import { filePinStore, setUpPin } from './file-pin-store';

const one = '1'.repeat(64) as Digest;
const two = '2'.repeat(64) as Digest;
const served = (fingerprint: Digest): Pin => ({ ...pinOfFingerprint(fingerprint), root_version: 1, roster_version: 1, log: { size: 5, root: one } });

describe('pins in the state directory', () => {
  let stateDirectory: string;
  beforeEach(async () => {
    stateDirectory = await mkdtemp(path.join(os.tmpdir(), 'countersign-pins-'));
  });
  afterEach(async () => {
    await rm(stateDirectory, { recursive: true });
  });
  const store = (role: string, rootPin?: string) => filePinStore({ stateDirectory, role, rootPin });

  it('are none before anything was written', async () => {
    expect(await store('plane').read()).toEqual({ ok: true, value: undefined });
  });

  it('of set-up are what another process starts from', async () => {
    await store('console').write(pinOfFingerprint(one));
    expect(await store('plane').read()).toEqual({ ok: true, value: pinOfFingerprint(one) });
    expect((await stat(path.join(stateDirectory, setUpPin))).mode & 0o777).toBe(0o600);
  });

  it('of two planes on one state directory never move back: the one that looked earlier changes nothing', async () => {
    await store('console').write(pinOfFingerprint(one));
    const [first, second] = [store('plane'), store('plane')];
    await second.write({ ...served(one), log: { size: 9, root: two } });
    await first.write(served(one));
    expect(await store('plane').read()).toMatchObject({ value: { log: { size: 9 } } });
    await first.write({ ...served(one), log: { size: 11, root: one } });
    expect(await store('plane').read()).toMatchObject({ value: { log: { size: 11 } } });
  });

  it('of one process are not taken back by another', async () => {
    await store('console').write(pinOfFingerprint(one));
    await store('plane').write(served(one));
    await store('console').write({ ...served(one), log: { size: 2, root: two } });
    expect(await store('plane').read()).toEqual({ ok: true, value: served(one) });
  });

  it('that an unfinished set-up left give way to the next set-up', async () => {
    await store('console').write(pinOfFingerprint(one));
    await store('console').write(pinOfFingerprint(two));
    expect(await store('plane').read()).toEqual({ ok: true, value: pinOfFingerprint(two) });
  });

  it('that name different roots trust none of them', async () => {
    await store('console').write(pinOfFingerprint(one));
    expect(await store('plane', two).read()).toMatchObject({ ok: false, error: { code: 'trust_root_unpinned' } });
  });

  it('that cannot be read are not taken for none', async () => {
    await writeFile(path.join(stateDirectory, setUpPin), '{"schema"');
    expect(await store('plane').read()).toMatchObject({ ok: false, error: { code: 'trust_root_unpinned' } });
    expect(await readFile(path.join(stateDirectory, setUpPin), 'utf8')).toBe('{"schema"');
  });
});
