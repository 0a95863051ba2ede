import { expect, test } from 'vitest';

import type { PriorAction } from '@/lib/context/snapshot';
import type { ActionId } from '@/lib/shared/ids';
import { asJson } from '@/lib/shared/as-json';
import type { Json } from '@/lib/shared/json';
import { at, snapshotWith } from '@/lib/testing/engine-fixtures';

import { parseSnapshot } from './parse-snapshot';

const plain: PriorAction = { action: 'act_0000000000000000000000' as ActionId, tool: 'shell', operation: 'exec', effect: 'execute', at: at(5), labels: [] };

test('what prior actions did and moved is read as it was stored', () => {
  const snapshot = snapshotWith({ prior: { counts: { 'shell.exec': 2 }, recent: [plain, { ...plain, effects: ['execute', 'communicate'], amount: 900.01 }], total: 2 } });
  expect(parseSnapshot(asJson(snapshot))).toEqual(snapshot);
});

test('an effect that there is not makes it unreadable', () => {
  const odd = { ...plain, effects: ['execute', 'sing'] } as unknown as PriorAction;
  expect(parseSnapshot(asJson(snapshotWith({ prior: { counts: {}, recent: [odd], total: 1 } })))).toBeUndefined();
});

test('a field that is missing, of another kind, or not known makes it unreadable, wherever it stands', () => {
  const whole = snapshotWith({
    prior: { counts: { 'shell.exec': 1 }, recent: [{ ...plain, effects: ['execute'], amount: 5 }], total: 1 },
    provenance: [{ path: 'to', source: 'trusted_output', seq: 3, where: 'email.read' }],
    attributes: [{ subject: 'database:orders', name: 'owner', value: { of: ['ada'] }, unavailable: false, source: 'ip:records', observed_at: at(5) }],
    signals: [{ name: 'velocity', score: 500, weight: 50, evidence: 'Few actions.', missing: 'owner' }],
    embedding: { formula: 1, model: 'm', scale: { far: 1, near: 2 }, before: 3, version: 'v', action: 'a', request: 'r', request_at: 0 },
    guards: [{ guard: 'secrets', verdict: 'hold', path: 'body', detail: 'A key.' }],
    points: [{ point: 'second', answer: 'permit', cause: 'fine', at: at(5) }],
    grants: ['a-grant'],
  });
  const text = JSON.stringify(whole);
  expect(parseSnapshot(JSON.parse(text) as Json)).toEqual(whole);
  const mayGo = /^(?:embedding|prior\.recent\.0\.(?:effects|amount)|provenance\.0\.(?:seq|where)|signals\.0\.missing|points\.0\.at)$/;
  let tried = 0;
  const damage = (path: readonly (string | number)[], change: (holder: Record<string | number, unknown>, name: string | number) => void): void => {
    const copy: unknown = JSON.parse(text);
    const holder = path.slice(0, -1).reduce<unknown>((inner, name) => (inner as Record<string | number, unknown>)[name], copy) as Record<string | number, unknown>;
    change(holder, path.at(-1) ?? '');
    tried += 1;
    expect(parseSnapshot(copy as Json), path.join('.')).toBeUndefined();
  };
  const walk = (value: unknown, path: readonly (string | number)[]): void => {
    // What is said of an attribute may be any value, and what was done before has names of its own.
    if (typeof value !== 'object' || value === null || path.at(-1) === 'value') return;
    const isList = Array.isArray(value);
    if (!isList && path.at(-1) !== 'counts') damage([...path, 'besides'], (holder, name) => (holder[name] = 1));
    for (const [name, inner] of Object.entries(value)) {
      const place = [...path, isList ? Number(name) : name];
      if (name !== 'value') damage(place, (holder, at) => (holder[at] = Symbol.iterator));
      if (!isList && path.at(-1) !== 'counts' && !mayGo.test(place.join('.'))) damage(place, (holder, at) => Reflect.deleteProperty(holder, at));
      walk(inner, place);
    }
  };
  walk(whole, []);
  expect(tried).toBeGreaterThan(120);
});
