import { describe, expect, it } from 'vitest';

import { parseEnvelope, payloadText, verifiedSigners, type Signer } from '@/lib/shared/dsse';
import { fromBase64 } from '@/lib/shared/encoding';

import { makeBrowserKey, signerOf } from './browser-keys';
import { countersign, signDocument } from './sign-document';
import { verifySignature } from './verify-signature';

const text = '{"a":"ü"}';

async function someKey(): Promise<{ readonly signer: Signer; readonly publicKey: Uint8Array }> {
  const key = await makeBrowserKey();
  return { signer: signerOf(key), publicKey: fromBase64(key.entry.public_key) ?? new Uint8Array() };
}

describe('signing in the browser', () => {
  it('covers exactly the text that was shown, with a key that cannot be exported', async () => {
    const { signer, publicKey } = await someKey();
    const envelope = parseEnvelope(await signDocument({ payload_type: 'application/x', text }, signer));
    if (!envelope.ok) throw new Error(envelope.error.detail);
    expect(payloadText(envelope.value)).toBe(text);
    expect([...(await verifiedSigners(envelope.value, new Map([[signer.keyId, publicKey]]), verifySignature))]).toEqual([signer.keyId]);
    await expect(crypto.subtle.exportKey('pkcs8', (await makeBrowserKey()).private_key)).rejects.toThrow();
  });

  it('adds a countersignature over the same payload and keeps the first', async () => {
    const first = await someKey();
    const second = await someKey();
    const signed = parseEnvelope(await signDocument({ payload_type: 'application/x', text }, first.signer));
    if (!signed.ok) throw new Error(signed.error.detail);
    const both = parseEnvelope(await countersign(signed.value, second.signer));
    if (!both.ok) throw new Error(both.error.detail);
    const keys = new Map([[first.signer.keyId, first.publicKey], [second.signer.keyId, second.publicKey]]);
    expect((await verifiedSigners(both.value, keys, verifySignature)).size).toBe(2);
  });

  it('countersigning twice with one key leaves one signature', async () => {
    const { signer } = await someKey();
    const signed = parseEnvelope(await signDocument({ payload_type: 'application/x', text }, signer));
    if (!signed.ok) throw new Error(signed.error.detail);
    const again = parseEnvelope(await countersign(signed.value, signer));
    expect(again.ok && again.value.signatures.length).toBe(1);
  });
});
