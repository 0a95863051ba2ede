import { describe, expect, test } from 'vitest';

import { big, bool, bytes, int, oneOf, orNull, text, texts, time, UnreadableRow } from './columns';

describe('a cell is read as what its column must hold, or not at all', () => {
  test.each<[string, (value: unknown) => unknown, unknown, unknown]>([
    ['text', text, 'a', 'a'],
    ['an integer', int, 5, 5],
    ['a big integer beyond a double', big, '9007199254740993', 9_007_199_254_740_993n],
    ['a negative big integer', big, '-1', -1n],
    ['a boolean', bool, false, false],
    ['a time', time, new Date('2026-03-01T10:00:00.000Z'), '2026-03-01T10:00:00.000Z'],
    ['texts', texts, ['a', 'b'], ['a', 'b']],
    ['bytes', bytes, Buffer.from([1, 2]), new Uint8Array([1, 2])],
    ['one of several', oneOf(['a', 'b']), 'b', 'b'],
    ['nothing, where that is allowed', orNull(text), null, null],
  ])('%s', (_name, read, value, expected) => {
    expect(read(value)).toEqual(expected);
  });

  test.each<[string, (value: unknown) => unknown, unknown]>([
    ['null as text', text, null],
    ['a number as text', text, 1],
    ['text as integer', int, '1'],
    ['a fraction as integer', int, 1.5],
    ['an inexact integer', int, 2 ** 53],
    ['a double as big integer', big, 1],
    ['words as big integer', big, '1e3'],
    ['text as boolean', bool, 't'],
    ['an invalid time', time, new Date(Number.NaN)],
    ['a time as text', time, '2026-03-01'],
    ['a null among texts', texts, ['a', null]],
    ['text as bytes', bytes, '\\x01'],
    ['a word outside the list', oneOf(['a', 'b']), 'c'],
    ['a number where text or nothing is allowed', orNull(text), 1],
  ])('refuses %s', (_name, read, value) => {
    expect(() => read(value)).toThrow(UnreadableRow);
  });

  test('bytes are copied, so that what the driver reuses cannot change them', () => {
    const source = Buffer.from([1]);
    const read = bytes(source);
    source[0] = 9;
    expect(read).toEqual(new Uint8Array([1]));
  });
});
