import { expect, it } from 'vitest';

import { heldDeletion } from '@/lib/testing/held-actions';

import type { HeldArgument } from './held-action';
import { subjectOf } from './subject';

const text = (changes: Parameters<typeof heldDeletion>[0]) => subjectOf(heldDeletion(changes)).map((part) => part.text).join('');
const argument = (path: string, value: HeldArgument['value'], role: HeldArgument['role']): HeldArgument => ({ path, value, source: 'request', ...(role ? { role } : {}) });

it.each([
  ['the measured count and the target', {}, '1,204 items, crm.contacts'],
  ['the target alone when nothing was measured', { attributes: [] }, 'crm.contacts'],
  ['amount before recipient', { attributes: [], arguments: [argument('to', 'NL91', 'recipients'), argument('amount', 480, 'amount')] }, '480, NL91'],
  ['two values, and how many more there are', { attributes: [], arguments: ['a', 'b', 'c', 'd'].map((to, index) => argument(`to[${index}]`, to, 'recipients')) }, 'a, b, 2 more'],
  ['nothing when nothing aims', { attributes: [], arguments: [argument('note', 'hello', undefined)] }, ''],
])('names %s', (_, changes, expected) => {
  expect(text(changes)).toBe(expected);
});

it('marks every value of the action as somebody else’s words', () => {
  expect(subjectOf(heldDeletion()).filter(({ from }) => from === 'untrusted')).toEqual([{ text: 'crm.contacts', from: 'untrusted' }]);
});
