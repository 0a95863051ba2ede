import { expect, it } from 'vitest';

import { asNote } from './as-note';

it('drops the full stop of one sentence, and none of several', () => {
  expect(asNote('Waits for a person.')).toBe('Waits for a person');
  expect(asNote('Same as signed')).toBe('Same as signed');
  expect(asNote('None. It was withheld.')).toBe('None. It was withheld.');
  expect(asNote('')).toBe('');
});
