import { expect, it } from 'vitest';

import { refusalOf } from './action-fault';
import { signHere } from './sign-here';

it('hands on what was signed', async () => {
  await expect(signHere(async () => await Promise.resolve('envelope'))).resolves.toBe('envelope');
});

it('says that the browser failed, not the server', async () => {
  const fault = await signHere(async () => await Promise.reject(new TypeError('no CryptoKey'))).catch((error: unknown) => error);
  const shown = refusalOf(fault instanceof Error ? fault : null);
  if (shown === null) throw new Error('No fault is shown.');
  expect(shown).toMatchObject({ code: 'internal', title: 'This browser could not sign' });
  expect(shown.detail).toContain('no CryptoKey');
});
