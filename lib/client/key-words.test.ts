import { expect, it } from 'vitest';

import { askingWords } from './key-words';

it('only a passkey that signs several documents is said to ask that often', () => {
  expect(askingWords('passkey', 3)).toBe('It asks you 3 times, once for each document.');
  expect(askingWords('passkey', 2)).toContain('twice');
  expect(askingWords('passkey', 1)).toBe('');
  expect(askingWords('browser-ed25519', 3)).toBe('');
});
