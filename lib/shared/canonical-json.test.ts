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

  it.each([
    ['0000000000000000', '0'],
    ['8000000000000000', '0'],
    ['0000000000000001', '5e-324'],
    ['8000000000000001', '-5e-324'],
    ['7fefffffffffffff', '1.7976931348623157e+308'],
    ['ffefffffffffffff', '-1.7976931348623157e+308'],
    ['4340000000000000', '9007199254740992'],
    ['c340000000000000', '-9007199254740992'],
    ['4430000000000000', '295147905179352830000'],
    ['44b52d02c7e14af5', '9.999999999999997e+22'],
    ['44b52d02c7e14af6', '1e+23'],
    ['44b52d02c7e14af7', '1.0000000000000001e+23'],
    ['444b1ae4d6e2ef4e', '999999999999999700000'],
    ['444b1ae4d6e2ef4f', '999999999999999900000'],
    ['444b1ae4d6e2ef50', '1e+21'],
    ['3eb0c6f7a0b5ed8c', '9.999999999999997e-7'],
    ['3eb0c6f7a0b5ed8d', '0.000001'],
    ['41b3de4355555553', '333333333.3333332'],
    ['41b3de4355555557', '333333333.33333343'],
    ['becbf647612f3696', '-0.0000033333333333333333'],
    ['43143ff3c1cb0959', '1424953923781206.2'],
  ])('the double %s is written as RFC 8785 lists it, alone, in a list and under a name', (bits, text) => {
    const value = Buffer.from(bits, 'hex').readDoubleBE();
    expect(canonicalJson(value)).toBe(text);
    expect(canonicalJson([value])).toBe(`[${text}]`);
    expect(canonicalJson({ b: value, a: value })).toBe(`{"a":${text},"b":${text}}`);
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
