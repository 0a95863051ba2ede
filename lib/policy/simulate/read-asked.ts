import type { z } from 'zod';

import { fail, ok, type Result } from '@/lib/shared/result';
import { parseStrictJson } from '@/lib/shared/strict-json';

import { Diagnostics, inOrder, toIssues } from '../diagnostics';
import { askedActionSchema, givenSchema, type Given } from '../policy-tests-schema';
import { readYaml } from '../read-yaml';
import { addZodIssues } from '../zod-diagnostics';

/** A question about an action: what it is, and what its session has seen. */
export type Asked = { readonly action: z.output<typeof askedActionSchema>; readonly given: Given };

const askedSchema = askedActionSchema.extend({ given: givenSchema.optional() });
const known = [...Object.keys(askedSchema.shape), ...Object.keys(givenSchema.shape)];

/**
 * The actions of a text that holds one JSON object or one a line. A `given` beside an action takes the place of `usual`. `invalid_json` and
 * `invalid_input` say where.
 */
export function readAsked(text: string, usual: Given): Result<readonly Asked[]> {
  const whole = parseStrictJson(text);
  const lines = text.split('\n').flatMap((line, at) => (line.trim() === '' ? [] : [{ line, number: at + 1 }]));
  if (lines.length === 0) return fail('invalid_json', 'There is no action.', { fix: 'Write one: {"tool":"email","operation":"send","parameters":{…}}.' });
  const asked: Asked[] = [];
  for (const { line, number } of whole.ok ? [{ line: text, number: 1 }] : lines) {
    const json = parseStrictJson(line);
    if (!json.ok) return fail(json.error.code, `Line ${String(number)} is no action: ${json.error.detail}`, { fix: 'Write one JSON object a line.' });
    const parsed = askedSchema.safeParse(json.value);
    if (!parsed.success) return misfit(`Line ${String(number)} is no action.`, parsed.error.issues, json.value, () => ({ line: number, column: 1 }));
    const { given, ...action } = parsed.data;
    asked.push({ action, given: given ?? usual });
  }
  return ok(asked);
}

/** What a session has seen, as in the `given` of a policy's test (YAML or JSON); nothing: a quiet session. `invalid_input`. */
export function readGiven(text: string): Result<Given> {
  if (text.trim() === '') return ok(givenSchema.parse({}));
  const { read, issues } = readYaml(text);
  if (!read) return fail('invalid_input', 'The context cannot be read.', { issues });
  const parsed = givenSchema.safeParse(read.value);
  return parsed.success ? ok(parsed.data) : misfit('The context has problems.', parsed.error.issues, read.value, read.locate);
}

function misfit(detail: string, found: Parameters<typeof addZodIssues>[0], value: unknown, locate: Parameters<typeof toIssues>[1]): Result<never> {
  const diagnostics = new Diagnostics();
  addZodIssues(found, [], { value, known }, diagnostics);
  return fail('invalid_input', detail, { issues: inOrder(toIssues(diagnostics.found, locate)) });
}
