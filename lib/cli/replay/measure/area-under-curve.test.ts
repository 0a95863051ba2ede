import { expect, test } from 'vitest';

import { areaUnderCurve } from './area-under-curve';

test('kinds that are apart have 1, kinds that are alike a half', () => {
  expect(areaUnderCurve([3, 4], [1, 2])).toEqual({ area: 1, low: 1, high: 1 });
  expect(areaUnderCurve([1, 1], [1, 1])?.area).toBe(0.5);
  expect(areaUnderCurve([1, 2], [3, 4])?.area).toBe(0);
});

test('the interval is DeLong’s: worked by hand for three against three', () => {
  // Wins of 3, 5, 7 over 2, 4, 6: 1/3, 2/3, 1; losses 1, 2/3, 1/3. Both variances are 1/9; the spread is √(1/27 + 1/27).
  const found = areaUnderCurve([3, 5, 7], [2, 4, 6]);
  expect(found?.area).toBeCloseTo(2 / 3, 12);
  expect(found?.low).toBeCloseTo(2 / 3 - 1.959964 * Math.sqrt(2 / 27), 9);
  expect(found?.high).toBe(1);
});

test('one value says nothing', () => {
  expect(areaUnderCurve([1], [2, 3])).toBeNull();
});
