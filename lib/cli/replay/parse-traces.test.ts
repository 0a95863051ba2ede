import { describe, expect, test } from 'vitest';

import { lineBounds } from './read-json-lines';
import { parseTraces } from './parse-traces';

const call = { tool: 'read_note', args: { id: 'n1' }, output: 'Tea at four.', label: 'user', arg_provenance: { id: ['request'] } };
const honest = { id: 'desk/1', suite: 'desk', kind: 'benign', request: 'Read note n1', calls: [call] };
const attack = { ...honest, id: 'desk/2', kind: 'attack', attack_goal: 'Burn it', attack_effect_call_indexes: [0] };
const shop = { id: 'shop/1', domain: 'retail', user_request: 'Cancel order #W1.', known_info: 'You are Ada.', calls: [{ tool: 'cancel', args: {}, requestor: 'assistant' }], reward_basis: ['DB'] };
const lines = (...rows: readonly unknown[]): string => rows.map((row) => (typeof row === 'string' ? row : JSON.stringify(row))).join('\n');

/** What is wrong, as `line:column path: message`. */
function faults(text: string): readonly string[] {
  const read = parseTraces(text);
  if (read.ok) throw new Error('It was read.');
  return (read.error.issues ?? [{ path: '', message: read.error.detail }]).map(({ line, column, path, message }) => `${String(line)}:${String(column ?? '')} ${path}: ${message}`);
}

describe('recorded traces', () => {
  test('are read in both shapes, empty lines between them', () => {
    const read = parseTraces(lines(honest, '', attack, shop));
    expect(read.ok && read.value).toEqual({
      traces: [
        { id: 'desk/1', suite: 'desk', kind: 'benign', request: 'Read note n1', calls: [{ tool: 'read_note', parameters: { id: 'n1' }, output: 'Tea at four.' }], attackEffects: [] },
        expect.objectContaining({ id: 'desk/2', kind: 'attack', attackEffects: [0] }),
        { id: 'shop/1', suite: 'retail', kind: 'benign', request: 'Cancel order #W1.\nYou are Ada.', calls: [{ tool: 'cancel', parameters: {} }], attackEffects: [] },
      ],
      unread: [],
    });
  });

  test('without a kind are honest', () => {
    const { kind: _, ...row } = honest;
    const read = parseTraces(lines(row));
    expect(read.ok && read.value.traces[0]?.kind).toBe('benign');
  });

  test('keep how a tool failed', () => {
    const read = parseTraces(lines({ ...honest, calls: [{ ...call, output: '', error: 'There is no note n1.' }] }));
    expect(read.ok && read.value.traces[0]?.calls[0]).toMatchObject({ error: 'There is no note n1.', output: '' });
  });

  test('name the fields that nobody reads, each once', () => {
    const read = parseTraces(lines({ ...honest, knid: 'attack', calls: [{ ...call, cost: 1 }, { ...call, cost: 2 }] }, { ...shop, knid: 1 }));
    expect(read.ok && read.value.unread).toEqual(['calls.cost', 'knid']);
  });

  test('name every fault with its line, and the column of broken JSON', () => {
    const { request: _, ...silent } = honest;
    expect(faults(lines(honest, '{"id": "x",, }', silent, { ...shop, calls: [{ tool: '', args: [] }] }))).toEqual([
      expect.stringMatching(/^2:\d+ : /),
      expect.stringMatching(/^3: request: /),
      expect.stringMatching(/^4: calls\.0\.tool: /),
      expect.stringMatching(/^4: calls\.0\.args: /),
    ]);
  });

  test.each([
    ['an attack that names no effect', { ...attack, attack_effect_call_indexes: [] }],
    ['an attack whose effect is no call of it', { ...attack, attack_effect_call_indexes: [1] }],
    ['honest work that claims effects of an attack', { ...honest, attack_effect_call_indexes: [0] }],
    ['a kind that does not exist', { ...honest, kind: 'benine' }],
    ['no id', { ...honest, id: '' }],
    ['more calls than anybody makes', { ...honest, calls: Array.from({ length: 501 }, () => call) }],
    ['the same key twice', '{"id":"a","id":"b"}'],
    ['a number that is not exact', '{"id":"a","suite":"s","request":"r","calls":[{"tool":"t","args":{"n":9007199254740993}}]}'],
  ])('are refused for %s', (_, row) => {
    expect(faults(lines(row)).length).toBeGreaterThan(0);
  });

  test('are bounded: lines, and the length of one', () => {
    expect(faults('\n'.repeat(lineBounds.lines))).toEqual([expect.stringContaining('lines')]);
    expect(faults(lines({ ...honest, remark: 'x'.repeat(lineBounds.line) }))).toEqual([expect.stringMatching(/^1:/)]);
  });
});
