import { link, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { ownServiceKey } from './service-keys';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'countersign-service-keys-'));
});
afterEach(async () => {
  await rm(folder, { recursive: true });
});

describe('a service key', () => {
  it('is made at the first start and is the same ever after', async () => {
    const first = await ownServiceKey(folder, 'plane');
    expect((await ownServiceKey(folder, 'plane')).id).toBe(first.id);
  });

  it('is read also where the process that made it was ended before it took its draft away', async () => {
    const first = await ownServiceKey(folder, 'plane');
    const file = path.join(folder, 'keys', 'plane.pem');
    await link(file, `${file}.0123456789ab`);
    expect((await ownServiceKey(folder, 'plane')).id).toBe(first.id);
    expect((await readdir(path.dirname(file))).filter((name) => name.startsWith('plane.pem'))).toEqual(['plane.pem']);
  });

  it('under a second name that is no draft of its own is refused', async () => {
    await ownServiceKey(folder, 'plane');
    await link(path.join(folder, 'keys', 'plane.pem'), path.join(folder, 'keys', 'copy.pem'));
    await expect(ownServiceKey(folder, 'plane')).rejects.toThrow('one name');
  });

  it('is made also where an earlier process of the same id was ended while it made one', async () => {
    await mkdir(path.join(folder, 'keys'));
    await writeFile(path.join(folder, 'keys', `plane.pem.${String(process.pid)}`), '', { mode: 0o600 });
    expect((await ownServiceKey(folder, 'plane')).id).toMatch(/.+/);
  });
});
