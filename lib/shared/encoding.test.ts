import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { bytesEqual, concatBytes, fromBase64, fromHex, fromUtf8, toBase64, toHex, utf8 } from './encoding';

const bytes = fc.uint8Array({ maxLength: 200 });

describe('encodings', () => {
  it('whatever is written is read back, and as Node writes it', () => {
    fc.assert(
      fc.property(bytes, (value) => {
        expect(toBase64(value)).toBe(Buffer.from(value).toString('base64'));
        expect(toHex(value)).toBe(Buffer.from(value).toString('hex'));
        expect(fromBase64(toBase64(value))).toEqual(value);
        expect(fromHex(toHex(value))).toEqual(value);
      }),
    );
  });

  it('bytes longer than one call’s arguments are written whole', () => {
    const long = new Uint8Array(300_000).map((_, at) => at % 251);
    expect(bytesEqual(fromBase64(toBase64(long)) ?? new Uint8Array(0), long)).toBe(true);
  });

  it.each(['A', 'AA', 'AAA', 'AA=', 'AA==A', 'AAAA=', 'AB==', 'AAB=', 'AA==\n', ' AAAA', 'A-_A', '====', 'AA==AA=='])(
    '%j is no canonical base64',
    (text) => {
      expect(fromBase64(text)).toBeUndefined();
    },
  );

  it.each(['a', 'AB', '0x', ' 00', '00\n', 'zz'])('%j is no canonical hex', (text) => {
    expect(fromHex(text)).toBeUndefined();
  });

  it('every text has at most one encoding that is read', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('A', 'B', 'Q', '/', '+', '='), maxLength: 8 }), (text) => {
        const read = fromBase64(text);
        if (read) expect(toBase64(read)).toBe(text);
      }),
    );
  });

  it('bytes that are not UTF-8 are no text, and a byte order mark stays what it is', () => {
    expect(fromUtf8(Uint8Array.of(0xff))).toBeUndefined();
    expect(fromUtf8(Uint8Array.of(0xed, 0xa0, 0x80))).toBeUndefined();
    expect(fromUtf8(utf8('\ufeffa'))).toBe('\ufeffa');
  });

  it('compares and joins by content', () => {
    fc.assert(
      fc.property(bytes, bytes, (a, b) => {
        expect(bytesEqual(a, b)).toBe(toHex(a) === toHex(b));
        expect(toHex(concatBytes(a, b))).toBe(toHex(a) + toHex(b));
      }),
    );
  });
});
