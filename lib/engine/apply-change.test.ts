import { describe, expect, test } from 'vitest';

import type { Json, JsonObject } from '@/lib/shared/json';

import { addFilter } from './add-filter';
import { applyChange, Misfit } from './apply-change';
import { redactText } from './redact-text';
import type { Modification } from './rule';

const apply = (parameters: JsonObject, change: Modification): JsonObject | 'misfit' => {
  const after = applyChange(parameters, change, ['corp.example']);
  return after instanceof Misfit ? 'misfit' : after;
};

describe('one change', () => {
  test.each<[Modification, JsonObject, JsonObject | 'misfit']>([
    [{ form: 'set', path: ['a'], to: 1 }, {}, { a: 1 }],
    [{ form: 'set', path: ['a', 'b'], to: 1 }, { a: { c: 2 } }, { a: { c: 2, b: 1 } }],
    [{ form: 'set', path: ['a', 'b'], to: 1 }, { a: 'text' }, 'misfit'],
    [{ form: 'cap', path: ['a'], at: 5 }, { a: 9 }, { a: 5 }],
    [{ form: 'cap', path: ['a'], at: 5 }, { a: '9' }, 'misfit'],
    [{ form: 'drop', path: ['a'] }, { a: 1, b: 2 }, { b: 2 }],
    [{ form: 'drop', path: ['a'] }, { b: 2 }, { b: 2 }],
    [{ form: 'restrict', path: ['to'], to: ['internal'] }, { to: ['a@corp.example', 'b@mail.example'] }, { to: ['a@corp.example'] }],
    [{ form: 'restrict', path: ['to'], to: ['mail.example'] }, { to: 'b@mail.example' }, { to: 'b@mail.example' }],
    [{ form: 'restrict', path: ['to'], to: ['internal'] }, { to: 'b@mail.example' }, 'misfit'],
    [{ form: 'restrict', path: ['to'], to: ['internal'] }, { to: 'eve@evil.example, a@corp.example' }, { to: 'a@corp.example' }],
    [{ form: 'restrict', path: ['to'], to: ['internal'] }, { to: ['eve@evil.example; a@corp.example', 'b@corp.example'] }, { to: ['a@corp.example', 'b@corp.example'] }],
    [{ form: 'restrict', path: ['to'], to: ['internal'] }, { to: 'Bob <a@corp.example>' }, { to: 'Bob <a@corp.example>' }],
    [{ form: 'restrict', path: ['to'], to: ['internal'] }, { to: '"a@corp.example" <eve@evil.example>' }, 'misfit'],
    [{ form: 'restrict', path: ['to'], to: ['internal'] }, { to: ['a@corp.example', 'eve%evil.example@corp.example'] }, 'misfit'],
    [{ form: 'restrict', path: ['url'], to: ['internal'] }, { url: 'https://docs.corp.example/a' }, { url: 'https://docs.corp.example/a' }],
    [{ form: 'restrict', path: ['url'], to: ['internal'] }, { url: 'https://evil.example\\@corp.example/' }, 'misfit'],
    [{ form: 'restrict', path: ['url'], to: ['internal'] }, { url: ['https://corp.example@evil.example/', 'https://corp.example/'] }, { url: ['https://corp.example/'] }],
    [{ form: 'redact', path: ['a'], what: ['PII'] }, { a: ['x@y.example', 'fine'] }, { a: ['[redacted address]', 'fine'] }],
    [{ form: 'redact', path: ['a'], what: ['ALL'] }, { a: 7 }, 'misfit'],
    [{ form: 'redact', path: ['a', '1'], what: ['ALL'] }, { a: ['x', 'y'] }, { a: ['x', '[redacted]'] }],
    [{ form: 'redact', path: ['a', '9'], what: ['ALL'] }, { a: ['x', 'y'] }, 'misfit'],
  ])('%j on %j', (change, before, after) => {
    expect(apply(before, change)).toEqual(after);
  });

  test('an agent’s own object never passes for a misfit', () => {
    expect(apply({ detail: 'x', misfit: 'y' }, { form: 'drop', path: ['z'] })).toEqual({ detail: 'x', misfit: 'y' });
  });
});

describe('a filter', () => {
  test.each<[Json | undefined, string, Json | undefined]>([
    [undefined, 'tenant = 1', 'tenant = 1'],
    ['a = 1', 'tenant = 1', '(a = 1) AND (tenant = 1)'],
    ['(a = 1) AND (tenant = 1)', 'tenant = 1', '(a = 1) AND (tenant = 1)'],
    ["name = 'x) OR (1=1'", 'tenant = 1', "(name = 'x) OR (1=1') AND (tenant = 1)"],
    ['1=1) OR (1=1', 'tenant = 1', undefined],
    ['a = 1 -- ', 'tenant = 1', undefined],
    ['a = 1; drop', 'tenant = 1', undefined],
    ["a = 'x", 'tenant = 1', undefined],
    [{ a: 1 }, 'tenant = 1', { a: 1, tenant: 1 }],
    [{ tenant: 1 }, 'tenant = 1', { tenant: 1 }],
    // Other rows than those that were asked for are no narrowing.
    [{ tenant: 2 }, "tenant = 'x'", undefined],
    ['', 'tenant = 1', 'tenant = 1'],
    // What only ends like a condition that was narrowed already is not one.
    ['1=1 OR (a = 1) AND (tenant = 1)', 'tenant = 1', '(1=1 OR (a = 1) AND (tenant = 1)) AND (tenant = 1)'],
    ['(1=1) OR (a = 1) AND (tenant = 1)', 'tenant = 1', '((1=1) OR (a = 1) AND (tenant = 1)) AND (tenant = 1)'],
    ['1=1 OR 1=1 AND (tenant = 1)', 'tenant = 1', '(1=1 OR 1=1 AND (tenant = 1)) AND (tenant = 1)'],
    ['1=1) OR (1=1 AND (tenant = 1)', 'tenant = 1', undefined],
    [{ a: 1 }, 'tenant > 1', undefined],
  ])('on %j and %s', (value, further, wanted) => {
    expect(addFilter(value, further)).toEqual(wanted);
  });
});

describe('redaction', () => {
  test.each([
    ['reach me at ada@corp.example or +49 170 1234567', ['PII'], 'reach me at [redacted address] or [redacted phone]'],
    ['AKIAABCDEFGHIJKLMNOP and api_key: s3cr3t', ['SECRET'], '[redacted token] and [redacted password]'],
    ['card 4111 1111 1111 1111, iban DE89 3704 0044 0532 0130 00', ['FINANCIAL'], 'card [redacted card], iban [redacted account]'],
    ['the meeting is on 2024-05-15 at 10:30', ['PII', 'SECRET', 'FINANCIAL'], 'the meeting is on 2024-05-15 at 10:30'],
  ] as const)('%s', (text, what, wanted) => {
    expect(redactText(text, [...what])).toBe(wanted);
    expect(redactText(redactText(text, [...what]), [...what])).toBe(wanted);
  });

  test('a megabyte of hostile text takes no time that would hold up others', () => {
    const started = performance.now();
    for (const text of ['a@'.repeat(500_000), '1 '.repeat(500_000), '-----BEGIN '.repeat(90_000)]) redactText(text, ['PII', 'SECRET', 'FINANCIAL']);
    expect(performance.now() - started).toBeLessThan(3000);
  });
});
