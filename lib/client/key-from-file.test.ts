import { generateKeyPairSync, verify } from 'node:crypto';
import { expect, it } from 'vitest';

import { toBase64, utf8 } from '@/lib/shared/encoding';

import { signerOf } from './browser-keys';
import { keyFromFile } from './key-from-file';

const pem = (type: 'ed25519' | 'x25519') => {
  const { privateKey, publicKey } = type === 'ed25519' ? generateKeyPairSync('ed25519') : generateKeyPairSync('x25519');
  return { text: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(), publicKey };
};

it('signs with the key of the file, under that key’s own id', async () => {
  const { text, publicKey } = pem('ed25519');
  const key = await keyFromFile(text);
  if (!key.ok) throw new Error(key.error.detail);
  const raw = Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url');
  expect(key.value.entry.public_key).toBe(toBase64(new Uint8Array(raw)));
  expect(key.value.private_key.extractable).toBe(false);
  expect(verify(null, utf8('hello'), publicKey, await signerOf(key.value).sign(utf8('hello')))).toBe(true);
});

it.each([['nothing', ''], ['another text', 'not a key'], ['a key of another kind', pem('x25519').text], ['a damaged key', pem('ed25519').text.replace(/.{8}\n-----END/, 'AAAAAAAA\n-----END').slice(0, 60)]])(
  'refuses %s',
  async (_, text) => {
    expect(await keyFromFile(text)).toMatchObject({ ok: false, error: { code: 'invalid_input' } });
  },
);
