import { expect, it } from 'vitest';

import { factTypeOf } from './fact-type';

it.each([
  ['mia@corp.example', 'string'], [0, 'number'], [-1.5, 'number'], [false, 'boolean'], [['a', 'b'], 'list'],
  ['', undefined], [' ', undefined], ['x'.repeat(4097), undefined], ['\ud800', undefined], [null, undefined], [Number.NaN, undefined],
  [[], undefined], [['a', 1], undefined], [[['a']], undefined], [[''], undefined], [Array.from({ length: 101 }, () => 'a'), undefined], [{ unavailable: true }, undefined],
])('what a person answers, %j, is a %s', (value, type) => {
  expect(factTypeOf(value)).toBe(type);
});
