import { expect, test } from 'vitest';
import { z } from 'zod';

import { parseInput } from './parse-input';

const schema = z.strictObject({ text: z.string().optional(), list: z.array(z.strictObject({ name: z.string() })).optional() });

test.each([
  ['a NUL', { text: 'a\0b' }, 'text'],
  ['a lone surrogate', { text: 'a\ud800' }, 'text'],
  ['a NUL far inside', { list: [{ name: 'a' }, { name: '\0' }] }, 'list.1.name'],
])('refuses %s, which would break the query that looks for it', (_, raw, path) => {
  expect(parseInput(schema, raw)).toMatchObject({ ok: false, error: { code: 'invalid_input', issues: [{ path }] } });
});

test('takes every other text as it is', () => {
  expect(parseInput(schema, { text: 'a\u202e😀\n' })).toEqual({ ok: true, value: { text: 'a\u202e😀\n' } });
});

test('comes to an end with what refers to itself', () => {
  const self: Record<string, unknown> = {};
  self['self'] = self;
  expect(parseInput(schema, self).ok).toBe(false);
});
