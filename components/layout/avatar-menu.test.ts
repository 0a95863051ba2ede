import { expect, it } from 'vitest';
import { initials } from '@/components/layout/avatar-menu';

it.each([
  ['Ana Vidal', 'AV'],
  ['Cher', 'C'],
  ['maria de la cruz', 'MC'],
  ['  ', '?'],
  ['E\u0301mile Zola', 'E\u0301Z'],
])('%s is %s', (name, expected) => {
  expect(initials(name)).toBe(expected);
});
