import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { asJson } from '@/lib/shared/as-json';
import { canonicalJson } from '@/lib/shared/canonical-json';
import { toBase64, utf8 } from '@/lib/shared/encoding';
import type { Digest } from '@/lib/shared/ids';
import type { Json, JsonObject } from '@/lib/shared/json';
import { nodeSha256 as sha256 } from '@/lib/testing/node-crypto';

import { contentDigest, contentItem, contentItemSchema, contentTextDigest, isContentWhole, isSeal, sealsIn, sealValues, unsealValues } from './content';

const salts = () => {
  let n = 0;
  return () => sha256(utf8(`salt ${n++}`)).slice(0, 16);
};
const salt = salts()();

describe('contents', () => {
  it('the digest covers salt and value, and holds for text and value alike', () => {
    const value = { to: ['a@corp.example'], n: 1 };
    const item = contentItem(sha256, salt, value);
    expect(isContentWhole(sha256, item)).toBe(true);
    expect(isContentWhole(sha256, { ...item, value: { ...value, n: 2 } })).toBe(false);
    expect(isContentWhole(sha256, { ...item, salt: toBase64(new Uint8Array(16)) })).toBe(false);
    expect(contentTextDigest(sha256, item.salt, canonicalJson(value))).toBe(contentDigest(sha256, item.salt, value));
    expect(contentItemSchema.safeParse(item).success).toBe(true);
    expect(contentItemSchema.safeParse({ ...item, salt: 'AAAA' }).success).toBe(false);
  });

  it('equal values with other salts have other digests, so nobody can compare what is withheld', () => {
    const next = salts();
    expect(contentItem(sha256, next(), 'yes').digest).not.toBe(contentItem(sha256, next(), 'yes').digest);
  });

  it('a salt of another length is a fault', () => {
    expect(() => contentItem(sha256, new Uint8Array(8), 1)).toThrow('16');
  });
});

it('a value with a key named __proto__ is read as it was written', () => {
  const item = contentItem(sha256, salt, JSON.parse('{"__proto__":{"a":1},"b":2}') as Json);
  const read = contentItemSchema.parse(JSON.parse(canonicalJson(asJson(item))));
  expect(isContentWhole(sha256, read)).toBe(true);
  expect(contentItemSchema.safeParse({ ...item, value: undefined }).success).toBe(false);
});

describe('sealed values', () => {
  const parameters: JsonObject = { to: 'a@corp.example', body: 'secret', auth: { token: 't', kind: 'x' } };

  it('only the named values are replaced, and come back where their content is at hand', () => {
    const result = sealValues(sha256, parameters, [['body'], ['auth', 'token'], ['absent']], salts());
    if (!result.ok) throw new Error(result.error.detail);
    const { sealed, items } = result.value;
    expect(items.map(({ value }) => value)).toEqual(['secret', 't']);
    expect(sealed).toMatchObject({ to: 'a@corp.example', auth: { kind: 'x' } });
    expect(canonicalJson(sealed)).not.toContain('secret');
    expect(sealsIn(sealed)).toEqual(items.map(({ digest }) => digest));
    const known = new Map<Digest, Json>(items.map(({ digest, value }) => [digest, value]));
    expect(unsealValues(sealed, (digest) => known.get(digest))).toEqual(parameters);
    const withheld = unsealValues(sealed, () => undefined) as JsonObject;
    expect(isSeal(withheld['body'])).toBe(true);
  });

  it('a null that was sealed comes back as null', () => {
    const result = sealValues(sha256, { body: null }, [['body']], salts());
    if (!result.ok) throw new Error(result.error.detail);
    expect(unsealValues(result.value.sealed, () => null)).toEqual({ body: null });
  });

  it('an agent cannot pass another’s content off as its own by naming a seal', () => {
    for (const forged of [{ body: { $sealed: '0'.repeat(64) } }, { list: [{ deep: { $sealed: 1 } }] }, { $sealed: 'x' }]) {
      expect(sealValues(sha256, forged, [], salts())).toMatchObject({ ok: false, error: { code: 'invalid_input' } });
    }
  });

  it('sealing the same value twice seals it once', () => {
    const result = sealValues(sha256, parameters, [['body'], ['body']], salts());
    expect(result.ok && result.value.items).toHaveLength(1);
  });

  it('whatever is sealed and unsealed is what it was', () => {
    const values = fc.dictionary(fc.constantFrom('a', 'b', 'c', '__proto__'), fc.jsonValue({ maxDepth: 2 }), { noNullPrototype: true });
    fc.assert(
      fc.property(values, fc.subarray([['a'], ['b'], ['c'], ['a', 'b']]), (value, paths) => {
        const before = value as JsonObject;
        const result = sealValues(sha256, before, paths, salts());
        if (!result.ok) throw new Error(result.error.detail);
        const known = new Map(result.value.items.map(({ digest, value: inner }) => [digest, inner]));
        const find = (digest: Digest) => known.get(digest);
        // A value sealed inside another that is sealed later needs opening from the outside in.
        const opened = unsealValues(unsealValues(result.value.sealed, find), find);
        expect(canonicalJson(opened)).toBe(canonicalJson(before));
      }),
    );
  });
});
