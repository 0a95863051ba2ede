import { expect, it } from 'vitest';

import type { FactType } from '@/lib/shared/fact-type';

import { factFrom } from './fact-input';

it.each<[FactType, string, unknown]>([
  ['string', ' open ', 'open'], ['string', '  ', undefined],
  ['number', '12', 12], ['number', '-0.5', -0.5], ['number', '1e9', undefined], ['number', '012', undefined], ['number', '12 items', undefined], ['number', '', undefined],
  ['boolean', 'yes', true], ['boolean', 'no', false], ['boolean', '', undefined],
  ['list', 'a\n\n b \n', ['a', 'b']], ['list', '\n', undefined],
])('as a %s, %j is %j', (type, typed, value) => {
  expect(factFrom(type, typed)).toEqual(value);
});
