import { describe, expect, it } from 'vitest';

import { testKey, nodeVerifySignature } from '@/lib/testing/node-crypto';

import { envelopePayload, envelopeText, parseEnvelope, payloadText, preAuthenticationEncoding, signEnvelope, verifiedSigners, type Envelope } from './dsse';
import { fromUtf8, toBase64, utf8 } from './encoding';

const [alice, bob] = [testKey('alice'), testKey('bob')];
const keys = new Map([alice, bob].map((key) => [key.signer.keyId, key.publicKey]));
const envelope = await signEnvelope('text/plain', utf8('hello world'), [alice.signer, bob.signer]);
const signers = (given: Envelope, known = keys) => verifiedSigners(given, known, nodeVerifySignature);

describe('DSSE envelopes', () => {
  it('the signed bytes are the published pre-authentication encoding', () => {
    const encoded = preAuthenticationEncoding('http://example.com/HelloWorld', utf8('hello world'));
    expect(fromUtf8(encoded)).toBe('DSSEv1 29 http://example.com/HelloWorld 11 hello world');
  });

  it('lengths are counted in bytes, so a type cannot reach over into the payload', () => {
    expect(fromUtf8(preAuthenticationEncoding('é', utf8('ü')))).toBe('DSSEv1 2 é 2 ü');
    expect(preAuthenticationEncoding('a', utf8('b 1 c'))).not.toEqual(preAuthenticationEncoding('a b', utf8('1 c')));
  });

  it('every signature is found true, and the payload comes back byte by byte', async () => {
    expect(await signers(envelope)).toEqual(new Set([alice.signer.keyId, bob.signer.keyId]));
    expect(payloadText(envelope)).toBe('hello world');
    expect(envelopePayload({ ...envelope, payload: 'AB==' })).toBeUndefined();
  });

  it('a changed payload, type or signature, and a signature under another’s key id, are not true', async () => {
    expect((await signers({ ...envelope, payload: toBase64(utf8('hello w0rld')) })).size).toBe(0);
    expect((await signers({ ...envelope, payloadType: 'text/html' })).size).toBe(0);
    const [first, second] = envelope.signatures;
    if (!first || !second) throw new Error('Two were signed.');
    const swapped = [{ keyid: first.keyid, sig: second.sig }, { keyid: second.keyid, sig: first.sig }];
    expect((await signers({ ...envelope, signatures: swapped })).size).toBe(0);
  });

  it('signatures of unknown keys are ignored, never trusted', async () => {
    const known = new Map([[alice.signer.keyId, alice.publicKey]]);
    expect(await signers(envelope, known)).toEqual(new Set([alice.signer.keyId]));
    expect((await signers(envelope, new Map())).size).toBe(0);
  });

  it('one envelope has one text', () => {
    const text = envelopeText(envelope);
    const read = parseEnvelope(text);
    expect(read.ok && envelopeText(read.value)).toBe(text);
  });

  const text = envelopeText(envelope);
  const [signature] = envelope.signatures;
  it.each<[string, string]>([
    ['spaces', text.replace(':', ': ')],
    ['another key order', JSON.stringify({ signatures: envelope.signatures, payloadType: 'text/plain', payload: envelope.payload })],
    ['an unknown key', text.replace('{"payload"', '{"a":1,"payload"')],
    ['a key named twice', text.replace('{"payload"', '{"payload":"","payload"')],
    ['no signature', envelopeText({ ...envelope, signatures: [] })],
    ['the same key twice', envelopeText({ ...envelope, signatures: signature ? [signature, signature] : [] })],
    ['a payload that is not canonical base64', envelopeText({ ...envelope, payload: 'aGVsbG8gd29ybGR=' })],
    ['a short signature', envelopeText({ ...envelope, signatures: [{ keyid: 'a', sig: 'AAAA' }] })],
    ['an unknown key in a signature', text.replace('{"keyid"', '{"alg":"x","keyid"')],
    ['no JSON', text.slice(1)],
    ['null', 'null'],
  ])('an envelope with %s is refused', (_what, given) => {
    expect(parseEnvelope(given).ok).toBe(false);
  });
});
