import { expect, it } from 'vitest';

import { unreachable } from '@/lib/client/parse-answer';

import { faultWords } from './fault-words';

it('says once that the server did not answer', () => {
  const { title, rest } = faultWords(unreachable());
  expect(title).toBe('The console’s server did not answer.');
  expect(rest).not.toContain(title);
  expect(rest).toContain('It is not known whether this was recorded.');
});

it('says that nothing was recorded where the fault has no words of its own', () => {
  const { title, rest } = faultWords({ code: 'internal', title: 'This browser could not sign', detail: 'Its key could not be used.', fix: 'Load the page anew.', issues: [] });
  expect(title).toBe('This browser could not sign.');
  expect(rest).toBe('Its key could not be used. Nothing was recorded. Load the page anew.');
});
