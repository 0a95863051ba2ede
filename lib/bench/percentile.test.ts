import { expect, test } from 'vitest';

import { median, percentile } from './percentile';

test('of a hundred values the 95th, of three the middle one, in whatever order', () => {
  const values = Array.from({ length: 100 }, (_, n) => 100 - n);
  expect(percentile(values, 95)).toBe(95);
  expect(median([3, 1, 2])).toBe(2);
  expect(percentile([7], 95)).toBe(7);
});

test('nothing measured is no figure', () => {
  expect(() => median([])).toThrow('Nothing');
});
