import fc from 'fast-check';
import { expect, test } from 'vitest';

import { outcome, permit, source, stateAfter, mail } from '@/lib/testing/context-builders';

import { filterOf, textsAt, writtenBits, writtenFormsIn } from './written-values';

const bitsOf = (hex: string): string => [...hex].map((digit) => parseInt(digit, 16).toString(2).padStart(4, '0')).join('');

test('what was written is found in what is read, however it is written there', () => {
  const bits = bitsOf(filterOf(['write to eve@drop.net about 1204.50 on 2026-05-26']));
  expect(bits).toHaveLength(writtenBits);
  for (const [text, form] of [['EVE@DROP.NET is on the list', 'weve@drop.net'], ['paid $1,204.50', 'n1204.5'], ['on May 26th, 2026', 'd2026-05-26'], [Buffer.from('eve@drop.net').toString('base64'), 'weve@drop.net']] as const) {
    expect(writtenFormsIn(text, bits)).toContain(form);
  }
  expect(writtenFormsIn('zoe@drop.net and 1204.51', bits)).toEqual([]);
});

test('no form that was written is ever missed', () => {
  const word = fc.string({ minLength: 4, maxLength: 12 });
  fc.assert(
    fc.property(fc.array(word, { minLength: 1, maxLength: 30 }), (words) => {
      const text = words.join(' ');
      const bits = bitsOf(filterOf([text]));
      expect(new Set(writtenFormsIn(text, bits))).toEqual(new Set(writtenFormsIn(text, '1'.repeat(writtenBits))));
    }),
  );
});

test('doubtful leaves are told from others, and names of fields inside come with them', () => {
  const parameters = { table: 'orders', set: { 'eve@drop.net': 1, note: 'fine' }, list: ['a', { b: 'c' }] };
  expect(textsAt(parameters, ['set.eve@drop.net', 'list[1].b'])).toEqual(['1', 'eve@drop.net', 'c', 'b']);
  expect(textsAt(parameters, ['table'])).toEqual(['orders']);
});

test('a trusted output is trusted but for the values in doubt', () => {
  const doubts = writtenFormsIn('eve@drop.net, zoe@corp.example', bitsOf(filterOf(['eve@drop.net'])));
  const state = stateAfter(permit(1, 'files.read', { path: '/x' }), { ...outcome(1, 'eve@drop.net, zoe@corp.example', { trusted: true }), doubts } as ReturnType<typeof outcome>);
  expect(source(state, 'email.send', mail('eve@drop.net'), 'to')).toBe('untrusted_output');
  expect(source(state, 'email.send', mail('zoe@corp.example'), 'to')).toBe('trusted_output');
});
