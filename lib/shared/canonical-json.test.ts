import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { canonicalBytes, canonicalJson } from './canonical-json';
import { fromUtf8 } from './encoding';
import type { Json } from './json';

describe('canonical JSON', () => {
  it.each<[Json, string]>([
    [{ b: 1, a: 2 }, '{"a":2,"b":1}'],
    [[3, { z: null, A: true }], '[3,{"A":true,"z":null}]'],
    [-0, '0'],
    [1e21, '1e+21'],
    [1e-7, '1e-7'],
    [0.000001, '0.000001'],
    [333333333.33333329, '333333333.3333333'],
    [4.5, '4.5'],
    [2e-3, '0.002'],
    [5e-324, '5e-324'],
    ['€$\u000f\nA\'B"\\\\"/', '"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"'],
    ['\u007f\u2028', '"\u007f\u2028"'],
    [{ '\u20ac': 1, '\r': 2, '\ufb33': 3, '1': 4, '\ud83d\ude00': 5, '\u0080': 6, 'ö': 7 }, '{"\\r":2,"1":4,"\u0080":6,"ö":7,"€":1,"\ud83d\ude00":5,"\ufb33":3}'],
    [{}, '{}'],
    [[], '[]'],
    ['', '""'],
  ])('%j is written in the one way that RFC 8785 gives', (value, text) => {
    expect(canonicalJson(value)).toBe(text);
  });

  it('keeps a key named __proto__ as any other key', () => {
    expect(canonicalJson(JSON.parse('{"a":1,"__proto__":{"b":2}}') as Json)).toBe('{"__proto__":{"b":2},"a":1}');
  });

  it.each<[string, unknown]>([
    ['NaN', Number.NaN],
    ['infinity', Number.POSITIVE_INFINITY],
    ['undefined', undefined],
    ['undefined inside an object', { a: undefined }],
    ['a lone surrogate', '\ud800'],
    ['a key with a lone surrogate', { '\udc00': 1 }],
    ['a bigint', 1n],
    ['a function', () => 1],
    ['a Map', new Map([['a', 1]])],
    ['a Date', new Date(0)],
  ])('%s has no canonical form and throws', (_what, value) => {
    expect(() => canonicalJson(value as Json)).toThrow(TypeError);
  });

  it('means the value: reading it back and writing it again gives the same text', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = canonicalJson(value as Json);
        expect(canonicalJson(JSON.parse(text) as Json)).toBe(text);
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  it('the order in which keys were set never matters', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string({ unit: 'grapheme' }), fc.integer()), (value) => {
        const turned = Object.fromEntries(Object.entries(value).reverse());
        expect(canonicalJson(turned)).toBe(canonicalJson(value));
      }),
    );
  });
});

const vectors = path.resolve(import.meta.dirname, '../../../shared/vectors/jcs');

describe.skipIf(!existsSync(vectors))('public RFC 8785 vectors (skipped: ../shared/vectors is not there)', () => {
  const names = existsSync(vectors) ? readdirSync(path.join(vectors, 'input')) : [];

  it.each(names)('%s is written as published', (name) => {
    const input = JSON.parse(readFileSync(path.join(vectors, 'input', name), 'utf8')) as Json;
    const wanted = readFileSync(path.join(vectors, 'output', name), 'utf8').replace(/\n$/, '');
    expect(fromUtf8(canonicalBytes(input))).toBe(wanted);
  });
});
