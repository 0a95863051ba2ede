import { expect, test } from 'vitest';

import { amountMoved } from './amount-moved';

test.each<[readonly number[], number | undefined]>([
  [[], undefined],
  [[40], 40],
  [[0.01, 900], 900.01],
  [[-900, 90], 90],
  [[-900], 0],
])('what %j moves is %j', (amounts, wanted) => {
  expect(amountMoved(amounts)).toBe(wanted);
});
