import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { canonicalJson } from './canonical-json';
import { utf8 } from './encoding';
import { parseJsonSlowly } from './parse-json-slowly';
import { parseStrictJson } from './strict-json';

const code = (text: string | Uint8Array, limits?: Parameters<typeof parseStrictJson>[1]) => {
  const result = parseStrictJson(text, limits);
  return result.ok ? 'ok' : result.error.code;
};

describe('strict JSON', () => {
  test.each([
    ['a key twice', '{"a":1,"a":2}', 'duplicate_key'],
    ['a key twice, once escaped', '{"a":1,"\\u0061":2}', 'duplicate_key'],
    ['a key twice, deep inside', '{"x":[{"b":{"c":1,"d":2,"c":1}}]}', 'duplicate_key'],
    ['__proto__ twice', '{"__proto__":1,"__proto__":2}', 'duplicate_key'],
    ['a lone high surrogate, escaped', '{"a":"\\ud800"}', 'invalid_unicode'],
    ['surrogates in the wrong order', '{"a":"\\ude00\\ud83d"}', 'invalid_unicode'],
    ['a lone surrogate in a key', '{"\\udc00":1}', 'invalid_unicode'],
    ['a raw lone surrogate', '{"a":"\ud800"}', 'invalid_unicode'],
    ['an integer beyond 2^53-1', '[9007199254740992]', 'number_not_exact'],
    ['a negative integer beyond 2^53-1', '[-9007199254740993]', 'number_not_exact'],
    ['an integer of 18 digits in disguise', '[9007199254740993.0]', 'number_not_exact'],
    ['more than 17 significant digits', '[0.123456789012345678]', 'number_not_exact'],
    ['overflow', '[1e400]', 'number_not_exact'],
    ['underflow to zero', '[1e-400]', 'number_not_exact'],
    ['a leading zero', '[01]', 'invalid_json'],
    ['a plus sign', '[+1]', 'invalid_json'],
    ['NaN', '[NaN]', 'invalid_json'],
    ['a trailing comma', '[1,]', 'invalid_json'],
    ['a comment', '[1/**/]', 'invalid_json'],
    ['single quotes', "{'a':1}", 'invalid_json'],
    ['a raw line break in a string', '"a\nb"', 'invalid_json'],
    ['an unknown escape', '"\\x41"', 'invalid_json'],
    ['two values', '1 2', 'invalid_json'],
    ['nothing', '', 'invalid_json'],
    ['a byte order mark', '\ufeff1', 'invalid_json'],
    ['an unterminated string', '{"a":"b', 'invalid_json'],
    ['33 levels', '['.repeat(33) + ']'.repeat(33), 'too_deep'],
    ['a bomb of brackets', '['.repeat(200_000), 'too_deep'],
  ])('%s is refused', (_, text, wanted) => {
    expect(code(text)).toBe(wanted);
  });

  test.each([
    ['the largest exact integer', '9007199254740991', 9007199254740991],
    ['17 significant digits', '0.12345678901234567', 0.12345678901234567],
    ['zeros that mean nothing', '1.50000000000000000000000', 1.5],
    ['a small exponent', '1.5e-7', 1.5e-7],
    ['zero with an exponent', '0e999', 0],
    ['32 levels', '['.repeat(32) + ']'.repeat(32), undefined],
    ['a surrogate pair, escaped', '"\\ud83d\\ude00"', '😀'],
  ])('%s is taken', (_, text, wanted) => {
    const result = parseStrictJson(text);
    expect(result.ok).toBe(true);
    if (result.ok && wanted !== undefined) expect(result.value).toBe(wanted);
  });

  test('bytes that are not UTF-8 are refused', () => {
    expect(code(Uint8Array.of(0x22, 0xed, 0xa0, 0x80, 0x22))).toBe('invalid_unicode');
    expect(code(Uint8Array.of(0x22, 0xff, 0x22))).toBe('invalid_unicode');
  });

  test('a fault says line, column and path', () => {
    const result = parseStrictJson('{\n  "a": {\n    "b": 1e999\n  }\n}');
    expect(result.ok ? [] : result.error.issues).toMatchObject([{ path: 'a.b', line: 3, column: 10 }]);
  });

  test('a key named __proto__ is only a key', () => {
    for (const parse of [parseStrictJson, (text: string) => parseJsonSlowly(text, { depth: 9, nodes: 9 })]) {
      const result = parse('{"__proto__":{"admin":true}}');
      if (!result.ok) throw new Error(result.error.detail);
      expect((result.value as { admin?: boolean }).admin).toBeUndefined();
      expect(Object.keys(result.value as object)).toEqual(['__proto__']);
      expect(canonicalJson(result.value)).toBe('{"__proto__":{"admin":true}}');
    }
    expect(({} as { admin?: boolean }).admin).toBeUndefined();
  });

  test('minus zero and zero have one canonical text', () => {
    for (const text of ['{"a":-0}', '{"a":0}', '{"a":-0.0e5}']) {
      const result = parseStrictJson(text);
      expect(result.ok && canonicalJson(result.value)).toBe('{"a":0}');
    }
  });

  test('more values or characters than the limit are refused', () => {
    expect(code('[1,2,3]', { depth: 5, nodes: 3, length: 100 })).toBe('too_large');
    expect(code('[1,2,3]', { depth: 5, nodes: 4, length: 100 })).toBe('ok');
    expect(code('[1,2,3]', { depth: 5, nodes: 4, length: 6 })).toBe('too_large');
  });

  test('every value that JSON can write comes back equal, from both parsers', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6, stringUnit: 'binary' }), fc.nat(3), (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        const fast = parseStrictJson(text);
        const slow = parseJsonSlowly(text, { depth: 32, nodes: 20_000 });
        if (slow.ok) expect(slow.value).toEqual(JSON.parse(canonicalJson(slow.value)));
        expect(fast).toEqual(slow);
      }),
      { numRuns: 500 },
    );
  });

  test('the fast path and the slow parser agree on texts that are nearly JSON', () => {
    const piece = fc.constantFrom('{', '}', '[', ']', ',', ':', '"a"', '"b"', '"\\u0061"', '1', '-', '0', '1e5', '.5', '9007199254740993', 'true', 'null', ' ', '"\\ud800"', '"', '\\');
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const text = pieces.join('');
        const fast = parseStrictJson(text);
        expect(fast).toEqual(parseJsonSlowly(text, { depth: 32, nodes: 20_000 }));
        if (fast.ok) expect(canonicalJson(JSON.parse(text))).toBe(canonicalJson(fast.value));
      }),
      { numRuns: 5000 },
    );
  });

  test('what is refused in text is refused in bytes', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 40 }), (text) => {
        expect(parseStrictJson(utf8(text))).toEqual(parseStrictJson(text));
      }),
    );
  });
});
