import { expect, test } from 'vitest';

import { wilsonInterval } from './wilson';

const rounded = (count: number, of: number) => wilsonInterval(count, of)?.map((bound) => Math.round(bound * 10_000) / 10_000);

test('the intervals are those of tables', () => {
  expect(rounded(5, 10)).toEqual([0.2366, 0.7634]);
  expect(rounded(81, 263)).toEqual([0.2553, 0.3662]);
  expect(rounded(0, 20)).toEqual([0, 0.1611]);
  expect(rounded(20, 20)).toEqual([0.8389, 1]);
});

test('of nothing there is none', () => {
  expect(wilsonInterval(0, 0)).toBeNull();
});
