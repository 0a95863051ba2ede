import { createPrivateKey, createPublicKey } from 'node:crypto';
import { describe, expect, it } from 'vitest';

import { fromBase64 } from '@/lib/shared/encoding';

import { signerOf } from './browser-keys';
import { keyFromFile } from './key-from-file';
import { keyFromRecoveryCode, makeRecoveryKey, recoveryCode, seedOfRecoveryCode } from './recovery-key';

const seed = Uint8Array.from({ length: 32 }, (_, index) => index * 7);

describe('the recovery code', () => {
  it('gives the seed back, in any case and spacing', () => {
    const code = recoveryCode(seed);
    expect(code.split(' ')).toHaveLength(14);
    expect(seedOfRecoveryCode(code)).toEqual(seed);
    expect(seedOfRecoveryCode(code.toLowerCase().replaceAll(' ', '-'))).toEqual(seed);
  });

  it('shows a slip in copying at every place', () => {
    const code = recoveryCode(seed).replaceAll(' ', '');
    for (let at = 0; at < code.length; at++) {
      const slip = `${code.slice(0, at)}${code[at] === 'A' ? 'B' : 'A'}${code.slice(at + 1)}`;
      expect(seedOfRecoveryCode(slip), `slip at ${at}`).toBeUndefined();
    }
  });

  it.each(['', 'ABCD', '!!!!', `${recoveryCode(seed)} A`])('refuses %j', (code) => {
    expect(seedOfRecoveryCode(code)).toBeUndefined();
  });
});

describe('a recovery key', () => {
  it('is the same key as file, as code and as listed', async () => {
    const key = await makeRecoveryKey();
    const listed = createPublicKey(createPrivateKey(key.pem)).export({ format: 'jwk' }).x;
    expect(listed && new Uint8Array(Buffer.from(listed, 'base64url'))).toEqual(fromBase64(key.entry.public_key));
    const fromFile = createPrivateKey(key.pem).export({ format: 'jwk' }).d;
    expect(seedOfRecoveryCode(key.code)).toEqual(new Uint8Array(Buffer.from(fromFile ?? '', 'base64url')));
  });

  it('signs from its code as from its file, and cannot be read out of the page again', async () => {
    const made = await makeRecoveryKey();
    const typed = await keyFromRecoveryCode(made.code.toLowerCase());
    const loaded = await keyFromFile(made.pem);
    if (!typed.ok || !loaded.ok) throw new Error('It was not read.');
    expect(typed.value.entry).toEqual(made.entry);
    expect(typed.value.private_key.extractable).toBe(false);
    const text = Uint8Array.of(1, 2, 3);
    expect(await signerOf(typed.value).sign(text)).toEqual(await signerOf(loaded.value).sign(text));
  });

  it.each([
    ['ABCD', 'It has 4 letters and digits; a recovery code has 56.'],
    [`B${recoveryCode(seed).slice(1)}`, 'A letter or digit was copied wrong.'],
  ])('says what is wrong with %j, and repeats none of it', async (code, detail) => {
    expect(await keyFromRecoveryCode(code)).toMatchObject({ ok: false, error: { code: 'invalid_input', detail } });
  });
});
