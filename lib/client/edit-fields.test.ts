import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { canonicalJson } from '@/lib/shared/canonical-json';
import type { JsonObject } from '@/lib/shared/json';
import { parseStrictJson } from '@/lib/shared/strict-json';

import { editedParameters, editFields } from './edit-fields';

describe('parameters as they are edited', () => {
  test('are what they were while nobody types, whatever they hold', () => {
    const parameters = fc.dictionary(fc.string({ unit: 'grapheme' }), fc.jsonValue({ stringUnit: 'grapheme' })) as fc.Arbitrary<JsonObject>;
    fc.assert(fc.property(parameters, (before) => {
      // Nothing else is ever held: an agent's parameters are read by the same parser.
      fc.pre(parseStrictJson(JSON.stringify(before)).ok);
      expect(canonicalJson(editedParameters(editFields(before)))).toBe(canonicalJson(before));
    }));
  });

  test('are texts as they stand, and JSON otherwise; what hides something is shown', () => {
    const fields = editFields({ where: { age: 4 }, body: 'Hello,\n"Ann"', to: 'ann\u202e@harbor.example', path: '/srv\u{e0041}', limit: 5 });
    expect(fields.map(({ name, kind, text }) => [name, kind, text])).toEqual([
      ['body', 'text', 'Hello,\n"Ann"'], ['limit', 'json', '5'], ['path', 'json', '"/srv\\udb40\\udc41"'], ['to', 'json', '"ann\\u202e@harbor.example"'], ['where', 'json', '{\n  "age": 4\n}'],
    ]);
  });

  test('may be left out, and are none while one of them is no JSON that a double or an object can hold', () => {
    const fields = editFields({ limit: 5, cc: 'ann@harbor.example' });
    expect(editedParameters(fields.map((field) => (field.name === 'cc' ? { ...field, out: true } : field)))).toEqual({ limit: 5 });
    for (const text of ['', '5,', '12345678901234567890', '{"a":1,"a":2}']) expect(editedParameters([{ name: 'limit', kind: 'json', text, out: false }])).toBeNull();
  });
});
