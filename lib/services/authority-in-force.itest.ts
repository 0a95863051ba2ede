import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

import { advancePin } from '@/lib/authority/pins';
import { compilePolicyText } from '@/lib/server/compile-policy-text';
import { filePinStore } from '@/lib/server/file-pin-store';
import { nodeSha256 } from '@/lib/server/node-sha256';
import { verifySignature } from '@/lib/server/verify-signature';
import { digestText } from '@/lib/shared/encoding';
import { testConsole, valueOf } from '@/lib/testing/console-fixture';
import { startTestPlane, type TestPlane } from '@/lib/testing/plane-fixture';
import { planePolicy } from '@/lib/testing/plane-policy';

import { authorityInForce } from './authority-in-force';
import { throwSwitch } from './console/throw-switch';

let plane: TestPlane;
beforeAll(async () => {
  plane = await startTestPlane(planePolicy);
}, 60_000);
afterAll(async () => {
  await plane.stop();
});

describe('what is in force', () => {
  it('is not taken for a rollback when another process serves and pins while this one looks', async () => {
    const pins = filePinStore({ stateDirectory: plane.stateDirectory, role: 'other', rootPin: undefined });
    const look = authorityInForce({
      authority: plane.stores.authority, credentials: plane.stores.credentials, log: plane.stores.log,
      cryptography: { verify: verifySignature, sha256: nodeSha256 }, compile: compilePolicyText,
      pins: {
        ...pins,
        read: async () => {
          // The log grows and another process pins it, at the very moment at which this one reads the pin.
          await plane.openSession('Take a note.');
          const read = await pins.read();
          if (!read.ok || !read.value) throw new Error('There is no pin.');
          const { size, root } = await plane.stores.log.head();
          const log = { size: Number(size), root: digestText(root), root_at_pin: read.value.log?.root ?? null };
          const shown = { root_fingerprint: read.value.root_fingerprint, root_version: 1, roster_version: 1, policy: read.value.policy, log };
          const ahead = advancePin(read.value, shown);
          if (!ahead.ok) throw new Error(ahead.error.detail);
          await pins.write(ahead.value);
          return ahead;
        },
      },
    });
    for (let turn = 0; turn < 3; turn++) expect((await look.refresh()).denied).toBeNull();
  });

  it('is acted on for half a minute and no longer where nobody can look any more, as when a row cannot be read', async () => {
    let readable = true;
    const { authority } = plane.stores;
    const look = authorityInForce({
      credentials: plane.stores.credentials, log: plane.stores.log, cryptography: { verify: verifySignature, sha256: nodeSha256 }, compile: compilePolicyText,
      authority: { ...authority, switches: async () => { if (readable) return await authority.switches(); throw new Error('A cell holds something else.'); } },
      pins: filePinStore({ stateDirectory: plane.stateDirectory, role: 'third', rootPin: undefined }),
    });
    const began = performance.now();
    let later = 0;
    vi.spyOn(performance, 'now').mockImplementation(() => began + later);
    expect((await look.current()).denied).toBeNull();
    readable = false;
    later = 29_000;
    expect((await look.current()).denied).toBeNull();
    later = 31_000;
    await expect(look.current()).rejects.toThrow('A cell holds something else.');
    readable = true;
    expect((await look.current()).denied).toBeNull();
  });

  it('is looked at again for whoever asks during a look, which may have read before what changed since', async () => {
    const { authority, credentials, log } = plane.stores;
    let arrived = (): void => undefined;
    let goOn = (): void => undefined;
    const reached = new Promise<void>((resolve) => (arrived = resolve));
    const gate = new Promise<void>((resolve) => (goOn = resolve));
    let looks = 0;
    const look = authorityInForce({
      // The first look stops where it has read what is thrown, and nothing has been.
      authority: { ...authority, switches: async (tx) => { const read = await authority.switches(tx); looks += 1; if (looks > 1) return read; arrived(); await gate; return read; } },
      credentials, log, pins: filePinStore({ stateDirectory: plane.stateDirectory, role: 'another', rootPin: undefined }),
      cryptography: { verify: verifySignature, sha256: nodeSha256 }, compile: compilePolicyText,
    });
    const first = look.refresh();
    await reached;
    const { parts, close } = await testConsole({ databaseUrl: plane.databaseUrl, workspace: plane.workspace, stateDirectory: plane.stateDirectory });
    valueOf(await throwSwitch(parts, plane.personOf('owner'), { scope: 'tool', subject: 'notes', reason: 'Look first.' }));
    await close();
    const later = [look.refresh(), look.refresh()];
    goOn();
    expect((await first).switches).toEqual([]);
    for (const one of await Promise.all(later)) expect(one.switches).toMatchObject([{ scope: 'tool', subject: 'notes' }]);
    expect(looks).toBe(2);
  });
});
