import { expect, it } from 'vitest';

import { refusalOf } from './action-fault';
import { makeBrowserKey } from './browser-keys';
import { signHere } from './sign-here';

it('hands on what was signed with the key', async () => {
  const key = await makeBrowserKey();
  await expect(signHere(key, async ({ keyId }) => await Promise.resolve(keyId))).resolves.toBe(key.entry.id);
});

it.each([
  ['fails', (key: Awaited<ReturnType<typeof makeBrowserKey>>) => signHere(key, async () => await Promise.reject(new TypeError('no CryptoKey'))), 'no CryptoKey'],
  ['is not in this page', ({ entry }: Awaited<ReturnType<typeof makeBrowserKey>>) => signHere({ entry }, async () => await Promise.resolve('envelope')), 'no private key'],
])('says that the browser failed, not the server, when the key %s', async (_how, sign, said) => {
  const fault = await sign(await makeBrowserKey()).catch((error: unknown) => error);
  const shown = refusalOf(fault instanceof Error ? fault : null);
  if (shown === null) throw new Error('No fault is shown.');
  expect(shown).toMatchObject({ code: 'internal', title: 'This browser could not sign' });
  expect(shown.detail).toContain(said);
});
