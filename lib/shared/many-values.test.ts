import { describe, expect, it } from 'vitest';

import { readCanonicalDocument } from './canonical-document';
import { utf8 } from './encoding';
import { hasMoreValues } from './many-values';

const more = (text: string, most: number): boolean => hasMoreValues(utf8(text), most);

describe('how many values a text holds', () => {
  it('counts lists, objects and what stands between commas', () => {
    expect([3, 4].map((most) => more('[0,0,0]', most))).toEqual([true, false]);
    expect([1, 2, 3].map((most) => more('{"a":{}}', most))).toEqual([true, true, false]);
  });

  it('counts nothing inside texts, whatever is escaped there', () => {
    expect(more(String.raw`["a,[{\",\\"]`, 3)).toBe(false);
    expect(more(String.raw`["\\",0,0,0]`, 4)).toBe(true);
  });

  it('of a document is bounded before it is parsed', () => {
    const bytes = new Uint8Array(40 * 1024 * 1024).fill(0x2c);
    expect(readCanonicalDocument(bytes, bytes.length)).toMatchObject({ ok: false, error: { code: 'too_large', detail: expect.stringContaining('values') } });
  });
});
