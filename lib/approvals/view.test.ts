import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { canonicalBytes } from '@/lib/shared/canonical-json';
import type { Json, JsonObject } from '@/lib/shared/json';
import { heldDeletion } from '@/lib/testing/held-actions';
import { nodeSha256 } from '@/lib/testing/node-crypto';

import { argumentRows } from './argument-rows';
import { basisDigest } from './basis';
import { factsOf } from './headline';
import type { HeldAction } from './held-action';
import { leavesOf } from './leaves';
import { parseHeldAction } from './parse-held-action';
import { approvalView, viewDigest } from './view';
import { counted, groupedNumber } from './view-text';

const held = heldDeletion();
const sentences = (on: HeldAction) => factsOf(on).map((parts) => parts.map(({ text }) => text).join(''));
const digest = (on: HeldAction) => viewDigest(approvalView(on), nodeSha256);

const json: fc.Arbitrary<Json> = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.string({ unit: 'grapheme' }), fc.integer(), fc.boolean(), fc.constant(null),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.oneof(fc.string({ maxLength: 4 }), fc.constantFrom('a', 'b', 'a.b', 'a[0]', '__proto__', '')), tie('value'), { maxKeys: 4, noNullPrototype: true }),
  ),
})).value;
const parameters: fc.Arbitrary<JsonObject> = fc.dictionary(fc.constantFrom('a', 'b', 'a.b', 'a[0]', '["a"]', '__proto__', ''), json, { maxKeys: 5, noNullPrototype: true });

describe('the view', () => {
  test('is the same for the same held action, byte for byte, also after it was stored and read back', () => {
    const again = parseHeldAction(JSON.parse(JSON.stringify(held)));
    if (!again.ok) throw new Error(again.error.detail);
    expect(digest(again.value)).toBe(digest(held));
    expect(basisDigest(again.value, nodeSha256)).toBe(basisDigest(held, nodeSha256));
  });

  test('begins with what was measured, and not with what the agent claims', () => {
    expect(sentences(held)).toEqual([
      'ops-janitor asks, for priya@halden.example, to run database.delete on crm.contacts.',
      'It would touch 1,204 items, as pep:crm measured at 2027-03-01T14:03:41.000Z.',
      'Whether it can be undone is not known.',
      'Policy changed 1 value: what you approve is a′.',
    ]);
    expect(sentences(held).join(' ')).not.toContain('Pre-approved');
  });

  test('says that a number is not known rather than leaving it out', () => {
    expect(sentences(heldDeletion({ attributes: [] }))).toContain('How many items it would touch is not known.');
    const claimed = held.attributes.map((attribute) => ({ ...attribute, subject: 'action:other' }));
    expect(sentences(heldDeletion({ attributes: claimed }))).toContain('How many items it would touch is not known.');
    const withdrawn = held.attributes.map((attribute) => ({ ...attribute, unavailable: true }));
    expect(sentences(heldDeletion({ attributes: withdrawn }))).toContain('How many items it would touch is not known.');
  });

  test('says where a message would go', () => {
    const mail = heldDeletion({
      effect: 'communicate',
      attributes: [],
      transformed: null,
      recipients: [{ address: 'a@halden.example', standing: 'internal' }, { address: 'b@x.example', standing: 'external' }],
    });
    expect(sentences(mail)).toContain('It would go to 2 recipients, 1 not known as internal.');
  });

  test('marks every word that is not ours', () => {
    const view = approvalView(held);
    expect(view.agent_reason).toEqual([{ text: held.agent_reason, from: 'untrusted' }]);
    const own = view.facts.flat().filter(({ from }) => from === 'countersign').map(({ text }) => text).join('');
    for (const word of ['crm.contacts', 'ops-janitor', 'priya']) expect(own).not.toContain(word);
  });

  test('has no time that moves: only the absolute ones that it was given', () => {
    expect(approvalView(held).at_zero.map(({ text }) => text).join('')).toContain(held.expires_at);
  });

  test.each<[string, Partial<HeldAction>]>([
    ['agent’s reason', { agent_reason: 'other' }],
    ['request', { requests: [] }],
    ['signals', { signals: [] }],
    ['provenance', { arguments: [] }],
    ['attributes', { attributes: [] }],
    ['timeline', { timeline: [] }],
  ])('has another digest when the %s it shows differs', (_, changes) => {
    expect(digest(heldDeletion(changes))).not.toBe(digest(held));
  });
});

describe('arguments', () => {
  test('stand beside each other in a and a′, each with its source', () => {
    expect(argumentRows(held)).toEqual([
      { path: 'limit', before: { value: 5000 }, after: { value: 1500 }, change: 'changed', source: 'policy', where: null, role: null },
      { path: 'table', before: { value: 'crm.contacts' }, after: { value: 'crm.contacts' }, change: 'same', source: 'request', where: null, role: 'target' },
      { path: 'where', before: { value: "email LIKE '%@example.com'" }, after: { value: "email LIKE '%@example.com'" }, change: 'same', source: 'untrusted_output', where: 'tickets.read', role: 'query' },
    ]);
  });

  test('show what policy added and what it dropped', () => {
    const transformed = { parameters: { table: 'crm.contacts', owner: 'growth' }, changes: [] };
    const changes = Object.fromEntries(argumentRows(heldDeletion({ transformed })).map(({ path, change }) => [path, change]));
    expect(changes).toEqual({ limit: 'removed', owner: 'added', table: 'same', where: 'removed' });
  });

  test('that were not traced count as made up', () => {
    expect(argumentRows(heldDeletion({ arguments: [] })).every(({ source }) => source === 'nowhere')).toBe(true);
  });

  test('take the source of the value around them when they have none of their own', () => {
    const inside = heldDeletion({
      action: { tool: 'x', operation: 'y', parameters: { to: ['a', 'b'], total: 1 } },
      transformed: null,
      arguments: [{ path: 'to', value: ['a', 'b'], source: 'request' }, { path: 'to[1]', value: 'b', source: 'untrusted_output' }],
    });
    expect(argumentRows(inside).map(({ path, source }) => [path, source])).toEqual([['to[0]', 'request'], ['to[1]', 'untrusted_output'], ['total', 'nowhere']]);
  });

  test('never hide behind one another: every leaf has a path of its own, whatever the names', () => {
    fc.assert(
      fc.property(parameters, (value) => {
        const leaves = leavesOf(value);
        expect(new Set(leaves.map(({ path }) => path)).size).toBe(leaves.length);
        expect(leaves).toHaveLength(countLeaves(value) - (Object.keys(value).length === 0 ? 1 : 0));
      }),
    );
  });

  test('two different actions never look the same', () => {
    fc.assert(
      fc.property(parameters, parameters, (one, other) => {
        const view = (value: JsonObject) => digest(heldDeletion({ action: { tool: 'x', operation: 'y', parameters: value }, transformed: null }));
        const same = nodeSha256(canonicalBytes(one)).join() === nodeSha256(canonicalBytes(other)).join();
        expect(view(one) === view(other)).toBe(same);
      }),
    );
  });
});

function countLeaves(value: Json): number {
  const parts = typeof value === 'object' && value !== null ? Object.values(value) : [];
  return parts.length === 0 ? 1 : parts.reduce((sum: number, part) => sum + countLeaves(part), 0);
}

describe('reading a held action back', () => {
  test('keeps an argument named __proto__, so that it is shown', () => {
    const stored: unknown = JSON.parse(JSON.stringify(held).replace('"limit":5000', '"__proto__":5000'));
    const read = parseHeldAction(stored);
    if (!read.ok) throw new Error(read.error.detail);
    expect(argumentRows(read.value).map(({ path }) => path)).toContain('__proto__');
  });

  test.each<[string, unknown]>([
    ['a missing field', { ...held, impact: undefined }],
    ['an unknown field', { ...held, extra: 1 }],
    ['another precision of time', { ...held, expires_at: '2027-03-01T14:33:41Z' }],
    ['no approvers rule', { ...held, approvers: {} }],
    ['nothing', null],
  ])('refuses %s', (_, value) => {
    expect(parseHeldAction(value)).toMatchObject({ ok: false, error: { code: 'invalid_input' } });
  });
});

test('numbers are written the same on every machine', () => {
  expect([0, 999, 1000, 1234567, -1234].map(groupedNumber)).toEqual(['0', '999', '1,000', '1,234,567', '-1,234']);
  expect([counted(1, 'item'), counted(2, 'item')]).toEqual(['1 item', '2 items']);
});
