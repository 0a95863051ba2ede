import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { nearnessOf, stemCodesOf, stemsOf } from './nearness';

const words = fc.array(fc.oneof(fc.constantFrom('please', 'should', 'the', 'I', 'meeting', 'Meetings', 'meet', 'a1', '9', 'order-4711', 'x_y'), fc.string({ maxLength: 8 })), { maxLength: 30 }).map((list) => list.join(' '));

describe('nearness', () => {
  test('is the share of a text’s word stems that the request has', () => {
    const request = stemsOf('Move the meetings of Tuesday, please');
    expect([...request]).toEqual(['move', 'meeti', 'tuesd']);
    expect(nearnessOf(request, ['The meeting is on Tuesday'])).toBe(1000);
    expect(nearnessOf(request, ['meeting with Bob'])).toBe(500);
    expect(nearnessOf(request, ['会議を Tuesday'])).toBe(333);
    expect(nearnessOf(request, ['the of is'])).toBeNull();
    expect(nearnessOf(new Set(), ['meeting'])).toBeNull();
  });

  test('counts the same stems whether a text is read by numbers or by words', () => {
    fc.assert(fc.property(words, words, (asked, text) => {
      const [request, stems] = [stemsOf(asked), stemsOf(text)];
      expect(stemCodesOf(text)?.length ?? stems.size).toBe(stems.size);
      const shared = [...stems].filter((stem) => request.has(stem)).length;
      expect(nearnessOf(request, [text])).toBe(request.size === 0 || stems.size === 0 ? null : Math.floor((1000 * shared) / stems.size));
    }), { numRuns: 500 });
  });

  test('follows a request that grows', () => {
    const request = new Set(stemsOf('meeting'));
    expect(nearnessOf(request, ['budget'])).toBe(0);
    for (const stem of stemsOf('budget')) request.add(stem);
    expect(nearnessOf(request, ['budget'])).toBe(1000);
  });

  test('reads two thousand characters of a text', () => {
    expect(stemCodesOf(`${'x '.repeat(1_000)}budget`)?.length).toBe(0);
    expect(stemsOf(`${'x '.repeat(1_000)}budget`).size).toBe(0);
  });
});
