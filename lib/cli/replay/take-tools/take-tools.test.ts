import { describe, expect, test } from 'vitest';

import { compilePolicyText } from '@/lib/server/compile-policy-text';
import { stockCatalogue } from '@/lib/mediate/stock';
import { nodeSha256 } from '@/lib/server/node-sha256';

import { extendPolicy, statedTools } from './extend-policy';
import { parseTools } from './parse-tools';
import { recipientsOf, takeTools } from './take-tools';

const head = (id: string) => `schema: countersign/policy/v1\nid: ${id}\nuse: stock@1 sha256:${stockCatalogue(nodeSha256).digest}\n`;
const base = { text: `${head('own')}tools:\n  - { name: desk.read_note, effect: read, impact: low, decision: ALLOW, parameters: { id: { type: string } } }\n`, format: 'yaml' } as const;
const general = { text: `${head('general')}rules:\n  - { id: hold, match: { effect: [communicate] }, action: STEP_UP }\n`, format: 'yaml' } as const;

const rows = [
  { suite: 'desk', name: 'write_to', description: 'Writes to somebody.', parameters: { properties: { to: { type: 'string' }, text: { type: 'string' } }, required: ['to', 'text'] } },
  { suite: 'desk', name: 'read_note', parameters: { properties: {} } },
  { type: 'function', function: { name: 'ring', parameters: { properties: {}, additionalProperties: true } } },
  { name: 'send_note', inputSchema: { properties: { to: { type: 'string' } }, required: [] } },
  { suite: 'bell', name: 'get_current_time' },
];
const given = () => {
  const read = parseTools(rows.map((row) => JSON.stringify(row)).join('\n'));
  if (!read.ok) throw new Error(JSON.stringify(read.error));
  return read.value;
};

describe('descriptions of tools', () => {
  test('are read in the shapes in which agents get them', () => {
    expect(given().map(({ suite, name, parameters }) => [suite, name, parameters?.closed ?? null])).toEqual([
      ['desk', 'write_to', true], ['desk', 'read_note', true], [null, 'ring', false], [null, 'send_note', true], ['bell', 'get_current_time', null],
    ]);
  });

  test('a faulty one is named with its line', () => {
    const read = parseTools(`${JSON.stringify(rows[0])}\n{"name": 3}`);
    expect(read.ok ? [] : read.error.issues?.map(({ line, path }) => [line, path])).toEqual([[2, 'name']]);
  });
});

describe('taken tools', () => {
  const taken = takeTools(given(), ['desk', 'bell'], new Set(['desk.read_note']));

  test('are those the policy does not know, for every suite where they name none', () => {
    expect(taken.entries.map(({ name }) => name)).toEqual(['desk.write_to', 'desk.ring', 'bell.ring', 'desk.send_note', 'bell.send_note', 'bell.get_current_time']);
    expect(taken.left).toEqual([]);
  });

  test('answer with untrusted text, except for the clock', () => {
    expect(taken.entries.filter(({ trusted }) => trusted === true).map(({ name }) => name)).toEqual(['bell.get_current_time']);
  });

  test('take other parameters only where the description leaves that open', () => {
    expect(Object.fromEntries(taken.entries.map(({ name, open }) => [name, open === true]))).toMatchObject({ 'desk.write_to': false, 'desk.ring': true, 'bell.get_current_time': true });
  });

  test('say which parameters name who gets something', () => {
    expect([...recipientsOf(taken.entries)]).toEqual(['desk.write_to.to', 'desk.send_note.to', 'bell.send_note.to']);
  });

  test('a name that no policy could have is left out, and said', () => {
    expect(takeTools([{ suite: 'desk', name: 'ring twice', description: '', parameters: null }], [], new Set())).toMatchObject({ entries: [], left: [expect.stringContaining('desk.ring twice')] });
  });

  test('of a suite with another name for a stock tool are that tool’s, and the stock does not stand in their way', () => {
    const [row] = takeTools([{ suite: 'mail', name: 'send', description: '', parameters: null }], [], statedTools(base), new Map([['mail', 'email']])).entries;
    expect(row).toMatchObject({ name: 'email.send', decision: 'ALLOW', open: true });
    expect([...statedTools(base)]).toEqual(['desk.read_note']);
  });

  test('a policy with them holds the general rules against them alone, and keeps its own tools as they are', () => {
    const extended = extendPolicy(base, general, taken.entries);
    if (!extended.ok) throw new Error(JSON.stringify(extended.error));
    const compiled = compilePolicyText(extended.value, 'json');
    if (!compiled.ok) throw new Error(JSON.stringify(compiled.error));
    const keys = compiled.value.rules.flatMap(({ id, keys: own }) => [...own].map((key) => `${id} ${key}`));
    expect(keys.sort()).toEqual(['general.hold bell.send_note', 'general.hold.2 desk.send_note', 'general.hold.2 desk.write_to']);
    expect(compiled.value.catalogue.entries.get('desk.read_note')?.parameters).toEqual({ id: { type: 'string' } });
  });
});
