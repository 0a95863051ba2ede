import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { verifySignature as inBrowser } from '@/lib/client/verify-signature';
import { verifySignature as onServer } from '@/lib/server/verify-signature';
import { nodeSignatureFunctions, nodeVerifySignature, testKey } from '@/lib/testing/node-crypto';
import { testPasskey, type AssertionChange, type PasskeyAlgorithm, type TestPasskey } from '@/lib/testing/passkey';

import { concatBytes, utf8 } from '../encoding';
import { assertionBytes, readAssertion, type Assertion } from './assertion';
import { coseKeyAtFront, readCoseKey } from './cose-key';
import { passkeyBytes, readPasskey } from './passkey-entry';
import { rawEcdsaSignature } from './raw-ecdsa-signature';
import { verifyAssertion } from './verify-assertion';

const document = utf8('DSSEv1 4 test 5 hello');
const algorithms = ['ES256', 'EdDSA'] as const;
const keys: { readonly [A in PasskeyAlgorithm]: TestPasskey } = { ES256: testPasskey('alice', 'ES256'), EdDSA: testPasskey('alice', 'EdDSA') };
const remote = testPasskey('remote', 'ES256', 'console.example.com');

const faultOf = async (sig: Uint8Array, key: TestPasskey, bytes = document): Promise<string | undefined> => {
  const verified = await verifyAssertion(key.publicKey, bytes, sig, nodeSignatureFunctions);
  return verified.ok ? undefined : verified.error.detail;
};
const changed = (change: AssertionChange, key = keys.ES256) => faultOf(assertionBytes(key.assert(document, change)), key);

describe.each(algorithms)('an assertion by %s', (algorithm) => {
  const key = keys[algorithm];

  it.each([['node', onServer], ['the browser', inBrowser], ['the tests', nodeVerifySignature]])('verifies with the functions of %s', async (_where, verify) => {
    const sig = await key.signer.sign(document);
    expect(await verify(key.publicKey, document, sig)).toBe(true);
    expect(await verify(key.publicKey, utf8('another document'), sig)).toBe(false);
    expect(await verify(testPasskey('bob', algorithm).publicKey, document, sig)).toBe(false);
  });

  it('any flipped bit of any part fails, and so does any of the key’s entry', async () => {
    const assertion = key.assert(document);
    await fc.assert(
      fc.asyncProperty(fc.constantFrom<keyof Assertion>('authenticatorData', 'clientDataJson', 'signature'), fc.nat(), fc.nat(7), async (part, at, bit) => {
        const sig = assertionBytes({ ...assertion, [part]: flip(assertion[part], at, bit) });
        expect(await nodeVerifySignature(key.publicKey, document, sig)).toBe(false);
      }),
      { numRuns: 300 },
    );
    const sig = assertionBytes(assertion);
    await fc.assert(
      fc.asyncProperty(fc.nat(), fc.nat(7), async (at, bit) => {
        const other = readPasskey(flip(key.publicKey, at, bit));
        // The credential's id is no part of what is signed; that it is the entry's own is the hash's business.
        const sameKey = other !== undefined && other.rpId === 'localhost' && Buffer.from(other.coseKey).equals(readPasskey(key.publicKey)?.coseKey ?? new Uint8Array());
        expect(await nodeVerifySignature(flip(key.publicKey, at, bit), document, sig)).toBe(sameKey);
        expect(await nodeVerifySignature(key.publicKey, document, flip(sig, at, bit))).toBe(false);
      }),
      { numRuns: 300 },
    );
  });

  it('a raw signature under a passkey’s entry, and an assertion under a raw key, are false', async () => {
    const raw = testKey('raw');
    const rawSignature = await raw.signer.sign(document);
    expect(await nodeVerifySignature(raw.publicKey, document, rawSignature)).toBe(true);
    expect(await nodeVerifySignature(key.publicKey, document, rawSignature)).toBe(false);
    expect(await nodeVerifySignature(raw.publicKey, document, await key.signer.sign(document))).toBe(false);
  });
});

it('the raw key inside an EdDSA passkey does not verify its assertion, nor the passkey a raw signature by its own key', async () => {
  const { key } = readPasskey(keys.EdDSA.publicKey) ?? {};
  if (key?.algorithm !== 'EdDSA') throw new Error('Made as EdDSA.');
  const own = testKey('passkey alice');
  expect(Buffer.from(own.publicKey).equals(key.key)).toBe(true);
  expect(await nodeVerifySignature(own.publicKey, document, await keys.EdDSA.signer.sign(document))).toBe(false);
  expect(await nodeVerifySignature(keys.EdDSA.publicKey, document, await own.signer.sign(document))).toBe(false);
});

describe('what an assertion may say besides', () => {
  it.each<[string, AssertionChange]>([
    ['keys that nobody knows yet', { client: { other_keys_can_be_added_here: { deep: [1, null] } } }],
    ['no word about frames', { client: { crossOrigin: undefined } }],
    ['any counter', { counter: 4_000_000_000 }],
    ['a key that is on one device only', { flags: 0x05 }],
    ['extensions', { flags: 0x9d, behind: Uint8Array.of(0xa0) }],
    ['another port', { client: { origin: 'http://localhost:41234' } }],
    ['TLS on this machine', { client: { origin: 'https://localhost:3000' } }],
    ['no port', { client: { origin: 'http://localhost' } }],
  ])('%s', async (_what, change) => {
    expect(await changed(change)).toBeUndefined();
  });

  it('a site elsewhere signs over TLS, at its own host, at any port', async () => {
    expect(await changed({}, remote)).toBeUndefined();
    expect(await changed({ client: { origin: 'https://console.example.com:8443' } }, remote)).toBeUndefined();
  });
});

describe('an assertion is refused', () => {
  const challenge = Buffer.from(nodeSignatureFunctions.sha256(document)).toString('base64url');
  const client = (rest: string) => `{"type":"webauthn.get","challenge":"${challenge}","origin":"http://localhost:3000"${rest}}`;
  it.each<[string, AssertionChange, string]>([
    ['made for a registration', { client: { type: 'webauthn.create' } }, 'another type'],
    ['without a type', { client: { type: undefined } }, 'another type'],
    ['over another challenge', { client: { challenge: Buffer.alloc(32).toString('base64url') } }, 'another document'],
    ['with the challenge in padded base64', { client: { challenge: `${challenge}=` } }, 'another document'],
    ['without a challenge', { client: { challenge: undefined } }, 'another document'],
    ['asked by another site', { client: { origin: 'https://evil.example' } }, 'another site'],
    ['asked by a host below the site', { client: { origin: 'https://a.localhost' } }, 'another site'],
    ['asked by a host that begins like the site', { client: { origin: 'https://localhost.evil.example' } }, 'another site'],
    ['asked by a host that ends like the site', { client: { origin: 'https://evillocalhost' } }, 'another site'],
    ['asked by a port that is none', { client: { origin: 'http://localhost:3000.evil.example' } }, 'another site'],
    ['with a path behind the origin', { client: { origin: 'http://localhost:3000/' } }, 'another site'],
    ['asked by another scheme', { client: { origin: 'app://localhost' } }, 'another site'],
    ['with a user in front of the host', { client: { origin: 'http://evil@localhost' } }, 'another site'],
    ['without an origin', { client: { origin: undefined } }, 'another site'],
    ['with an origin that is no text', { client: { origin: ['http://localhost:3000'] } }, 'another site'],
    ['from a frame in another site', { client: { crossOrigin: true } }, 'inside a page'],
    ['with a frame that is neither yes nor no', { client: { crossOrigin: null } }, 'inside a page'],
    ['with a page around it', { client: { topOrigin: 'https://evil.example' } }, 'inside a page'],
    ['with a field of the client data twice', { client: client(',"type":"webauthn.get"') }, 'means one thing'],
    ['with an unknown field twice', { client: client(',"x":1,"x":1') }, 'means one thing'],
    ['with something behind the client data', { client: `${client('')}{}` }, 'means one thing'],
    ['with a byte order mark before it', { client: `\uFEFF${client('')}` }, 'means one thing'],
    ['with client data that is a list', { client: '[]' }, 'means one thing'],
    ['that nobody was there for', { flags: 0x1c }, 'Nobody was there'],
    ['without user verification', { flags: 0x19 }, 'making sure'],
    ['with a contradiction: backed up, but cannot be', { flags: 0x15 }, 'contradicts'],
    ['with a new credential in it', { flags: 0x5d }, 'made a key'],
    ['with extensions announced and none there', { flags: 0x9d }, 'another length'],
    ['with bytes that no flag announces', { behind: Uint8Array.of(0xa0) }, 'another length'],
    ['by an authenticator for another site', { rpId: 'evil.example' }, 'for another site'],
    ['by an authenticator for the site above', { rpId: 'host' }, 'for another site'],
  ])('%s', async (_what, change, reason) => {
    expect(await changed(change)).toContain(reason);
  });

  it('without TLS, from a site elsewhere', async () => {
    expect(await changed({ client: { origin: 'http://console.example.com' } }, remote)).toContain('another site');
  });

  it('signed over other authenticator or client data than it carries', async () => {
    const [one, other] = [keys.ES256.assert(document), keys.ES256.assert(document, { counter: 7, client: { extra: 1 } })];
    for (const part of ['authenticatorData', 'clientDataJson', 'signature'] as const) {
      expect(await faultOf(assertionBytes({ ...one, [part]: other[part] }), keys.ES256)).toContain('does not verify');
    }
  });

  it('of one algorithm under a key of the other', async () => {
    expect(await faultOf(assertionBytes(keys.EdDSA.assert(document)), keys.ES256)).toContain('does not verify');
    expect(await faultOf(assertionBytes(keys.ES256.assert(document)), keys.EdDSA)).toContain('does not verify');
  });
});

describe('an assertion has one spelling', () => {
  const { authenticatorData, clientDataJson, signature } = keys.ES256.assert(document);
  const text = Buffer.from(assertionBytes({ authenticatorData, clientDataJson, signature })).toString();
  it.each<[string, Uint8Array]>([
    ['white space', utf8(text.replace(',', ', '))],
    ['another order', utf8(JSON.stringify(Object.fromEntries(Object.entries(JSON.parse(text) as object).reverse())))],
    ['an unknown field', utf8(text.replace('{', '{"a":1,'))],
    ['a field twice', utf8(text.replace('{', '{"authenticator_data":"",'))],
    ['a missing field', utf8(text.replace(/,"signature":"[^"]*"/, ''))],
    ['a number as signature', utf8(text.replace(/"signature":"[^"]*"/, '"signature":7'))],
    ['base64 for the web', utf8(text.replace(/"signature":"[^"]*"/, '"signature":"-_-_"'))],
    ['authenticator data that is too short', assertionBytes({ authenticatorData: authenticatorData.slice(1), clientDataJson, signature })],
    ['authenticator data that is too long', assertionBytes({ authenticatorData: new Uint8Array(1025), clientDataJson, signature })],
    ['client data that is too long', assertionBytes({ authenticatorData, clientDataJson: new Uint8Array(4097), signature })],
    ['no client data', assertionBytes({ authenticatorData, clientDataJson: new Uint8Array(), signature })],
    ['a signature that is too long', assertionBytes({ authenticatorData, clientDataJson, signature: new Uint8Array(73) })],
    ['no signature', assertionBytes({ authenticatorData, clientDataJson, signature: new Uint8Array() })],
    ['a list', utf8('[]')],
    ['64 bytes', new Uint8Array(64)],
    ['nothing', new Uint8Array()],
  ])('%s is refused', (_what, bytes) => {
    expect(readAssertion(bytes)).toBeUndefined();
  });
});

describe('a passkey’s entry has one spelling', () => {
  const { coseKey, credentialId, rpId } = readPasskey(keys.ES256.publicKey) ?? {};
  if (!coseKey || !credentialId || rpId === undefined) throw new Error('It is a passkey.');
  const es256 = Buffer.from(coseKey);
  it.each<[string, Uint8Array]>([
    ['an unknown field', utf8(Buffer.from(keys.ES256.publicKey).toString().replace('{', '{"a":1,'))],
    ['no credential id', passkeyBytes({ coseKey, credentialId: new Uint8Array(), rpId })],
    ['a credential id that is too long', passkeyBytes({ coseKey, credentialId: new Uint8Array(1024), rpId })],
    ['a site in capitals', passkeyBytes({ coseKey, credentialId, rpId: 'Localhost' })],
    ['a site with a port', passkeyBytes({ coseKey, credentialId, rpId: 'localhost:3000' })],
    ['a site with an empty label', passkeyBytes({ coseKey, credentialId, rpId: 'a..b' })],
    ['a site that is too long', passkeyBytes({ coseKey, credentialId, rpId: Array.from({ length: 64 }, () => 'abcd').join('.') })],
    ['no site', passkeyBytes({ coseKey, credentialId, rpId: '' })],
    ['a key of RSA', passkeyBytes({ coseKey: concatBytes(Uint8Array.of(0xa4, 1, 3, 3, 0x39, 1, 0), es256), credentialId, rpId })],
    ['bytes behind the key', passkeyBytes({ coseKey: concatBytes(es256, Uint8Array.of(0)), credentialId, rpId })],
    ['a key of another curve', passkeyBytes({ coseKey: Buffer.from(es256.toString('hex').replace('2001215820', '2002215820'), 'hex'), credentialId, rpId })],
    ['a key of another algorithm', passkeyBytes({ coseKey: Buffer.from(es256.toString('hex').replace('0326', '0327'), 'hex'), credentialId, rpId })],
    ['32 bytes', new Uint8Array(32)],
  ])('%s is refused', (_what, bytes) => {
    expect(readPasskey(bytes)).toBeUndefined();
  });

  it('a point that is not on the curve verifies nothing', async () => {
    const off = concatBytes(es256.subarray(0, 45), new Uint8Array(32));
    const publicKey = passkeyBytes({ coseKey: off, credentialId, rpId });
    expect(readCoseKey(off)).toBeDefined();
    const sig = await keys.ES256.signer.sign(document);
    for (const verify of [onServer, inBrowser, nodeVerifySignature]) expect(await verify(publicKey, document, sig)).toBe(false);
  });

  it('the key is found at the front of an authenticator’s data, whatever follows', () => {
    expect(coseKeyAtFront(concatBytes(es256, Uint8Array.of(1, 2, 3)))).toEqual(new Uint8Array(es256));
    expect(coseKeyAtFront(es256.subarray(0, 76))).toBeUndefined();
  });
});

describe('a DER signature', () => {
  const der = (hex: string) => rawEcdsaSignature(Buffer.from(hex, 'hex'));
  it('gives r and s in 32 bytes each', () => {
    expect(Buffer.from(der('3007020101020200ff') ?? []).toString('hex')).toBe(`${'00'.repeat(31)}01${'00'.repeat(31)}ff`);
  });
  it.each([
    ['a negative number', '3006020181020101'],
    ['a needless zero', '300702020001020101'],
    ['zero', '3006020100020101'],
    ['a wrong length', '3007020101020101'],
    ['bytes behind it', '300602010102010100'],
    ['bytes inside behind it', '300702010102010100'],
    ['an empty number', '30050200020101'],
    ['no second number', '3003020101'],
    ['33 digits', `302602210100${'00'.repeat(31)}020101`],
    ['the long form of a length', '308106020101020101'],
    ['another type', '3106020101020101'],
    ['nothing', ''],
  ])('with %s is refused', (_what, hex) => {
    expect(der(hex)).toBeUndefined();
  });
});

function flip(bytes: Uint8Array, at: number, bit: number): Uint8Array {
  const copy = bytes.slice();
  const place = at % copy.length;
  copy[place] = (copy[place] ?? 0) ^ (1 << bit);
  return copy;
}
