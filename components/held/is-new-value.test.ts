import { expect, it } from 'vitest';

import { isNewValue } from './is-new-value';

it('tells an argument that policy added from a null that the agent wrote', () => {
  expect(isNewValue({ table: 'orders' }, { path: 'limit', from: null })).toBe(true);
  expect(isNewValue({ limit: null }, { path: 'limit', from: null })).toBe(false);
  expect(isNewValue({ limit: 5000 }, { path: 'limit', from: 5000 })).toBe(false);
});

it('claims nothing of what lies deeper, which the changed text shows', () => {
  expect(isNewValue({}, { path: 'where.note', from: null })).toBe(false);
});
