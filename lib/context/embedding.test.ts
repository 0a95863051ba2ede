import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { toBase64 } from '@/lib/shared/encoding';
import { act, evidence, permit, request, stateAfter } from '@/lib/testing/context-builders';

import { childState } from './session-state';
import { cosineOf, embeddedBy, packVector, quantise, unpackVector, type Embedding } from './embedding';
import type { ContextEntry } from './entry';
import { distanceByVectors } from './semantic-distance';
import { takeSnapshot } from './take-snapshot';

const quantised = (...parts: readonly number[]): Int8Array => {
  const vector = quantise(parts);
  if (!vector) throw new Error('It has a direction.');
  return vector;
};
const scale = { far: 0, near: 500 };
const measured = (action: readonly number[], asked: readonly number[], more: { model?: string; version?: string } = {}): Embedding => ({
  model: more.model ?? 'm', version: more.version ?? 'm-1', scale, action: packVector(quantised(...action)), request: packVector(quantised(...asked)), request_at: 0,
});
const failed: Embedding = { model: 'm', scale, failure: 'late' };
const embeddedPermit = (n: number, embedding: Embedding): ContextEntry => {
  const entry = permit(n, 'email.read', { id: 'm1' });
  const embedded = embeddedBy(embedding);
  return entry.kind === 'permit' && embedded ? { ...entry, embedded } : entry;
};
const signalOf = (entries: readonly ContextEntry[], embedding?: Embedding) => {
  const snapshot = takeSnapshot(stateAfter(request('Send the minutes.'), ...entries), act('email.send', { to: 'a@corp.example', body: 'minutes' }), evidence(embedding ? { embedding } : {}));
  return { snapshot, signal: snapshot.signals.find(({ name }) => name === 'semantic_distance') };
};

describe('a vector', () => {
  test.each([
    ['nothing', []], ['one number', [1]], ['no direction', [0, 0, 0]], ['not a number', [1, Number.NaN]], ['infinite', [1, Infinity]], ['too long', Array.from({ length: 4097 }, () => 1)],
  ])('that is %s is none', (_what, parts) => {
    expect(quantise(parts)).toBeUndefined();
  });

  test('reads back as it was written, and other bytes are none', () => {
    const vector = quantised(0.5, -1, 0.25, 0);
    expect([...vector]).toEqual([64, -127, 32, 0]);
    expect(unpackVector(packVector(vector))).toEqual(vector);
    for (const text of ['', 'AA==', toBase64(new Uint8Array(8)), toBase64(new Uint8Array(4097).fill(1)), 'not base64']) expect(unpackVector(text)).toBeUndefined();
  });
});

describe('the cosine', () => {
  test.each<[string, readonly number[], readonly number[], number]>([
    ['of one direction is all', [1, 2, 3], [2, 4, 6], 1000],
    ['of opposite directions is nothing', [1, 2], [-1, -2], 0],
    ['of a right angle is nothing', [1, 0], [0, 1], 0],
    ['of half a right angle is 0.707', [1, 0], [1, 1], 707],
  ])('%s', (_what, a, b, wanted) => {
    expect(cosineOf(quantised(...a), quantised(...b))).toBe(wanted);
  });

  test('of vectors of two lengths is unknown', () => {
    expect(cosineOf(quantised(1, 2), quantised(1, 2, 3))).toBeUndefined();
  });

  test('is the same both ways, whole, in range, and near what floating point gives', () => {
    const parts = fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: 16, maxLength: 16 });
    fc.assert(fc.property(parts, parts, (a, b) => {
      const [x, y] = [quantise(a), quantise(b)];
      if (!x || !y) return;
      const cosine = cosineOf(x, y) ?? -1;
      const dot = (p: readonly number[], q: readonly number[]) => p.reduce((sum, part, at) => sum + part * (q[at] ?? 0), 0);
      const exact = Math.max(0, (1000 * dot([...x], [...y])) / Math.sqrt(dot([...x], [...x]) * dot([...y], [...y])));
      expect(cosine).toBe(cosineOf(y, x));
      expect(Math.abs(cosine - exact)).toBeLessThanOrEqual(1.0001);
      expect(Number.isInteger(cosine) && cosine >= 0 && cosine <= 1000).toBe(true);
    }));
  });

  test('of the longest and largest vectors is exact', () => {
    const most = new Int8Array(4096).fill(-127);
    expect(cosineOf(most, most)).toBe(1000);
  });
});

describe('semantic distance with an embeddings endpoint', () => {
  test('without one the snapshot says nothing of it', () => {
    const { snapshot, signal } = signalOf([]);
    expect(Object.hasOwn(snapshot, 'embedding')).toBe(false);
    expect(signal?.evidence).toContain('in the request');
  });

  test('is measured by its vectors alone, and they are evidence', () => {
    const { snapshot, signal } = signalOf([], measured([1, 0], [1, 3]));
    expect(snapshot.embedding).toMatchObject({ formula: 1, before: null, model: 'm', version: 'm-1' });
    expect(signal).toMatchObject({ score: 626, weight: 50, evidence: expect.stringContaining('By m ') as string });
    expect(snapshot.embedding && distanceByVectors(snapshot.embedding)).toMatchObject({ score: 626, weight: 50 });
  });

  test('is unknown when it failed, and the distance by words does not stand in', () => {
    const { signal } = signalOf([], failed);
    expect(signal).toEqual({ name: 'semantic_distance', score: null, weight: 50, evidence: 'm did not answer in time.' });
  });

  test('runs over the session, the newest a quarter', () => {
    const { snapshot, signal } = signalOf([embeddedPermit(1, measured([1, 0], [1, 0]))], measured([1, 0], [0, 1]));
    expect(snapshot.embedding?.before).toBe(1000);
    expect(signal?.score).toBe(1000);
    const drifted = [1, 2, 3, 4].map((n) => embeddedPermit(n, measured([1, 0], [0, 1])));
    expect(signalOf(drifted, measured([1, 0], [0, 1])).signal?.score).toBe(0);
  });

  test('an action that was not measured leaves what the session had come to', () => {
    expect(signalOf([embeddedPermit(1, measured([1, 0], [1, 1])), embeddedPermit(2, failed)], measured([1, 0], [1, 1])).snapshot.embedding?.before).toBe(707);
  });

  test.each([['model', { model: 'other' }], ['version', { version: 'm-2' }]])('another %s begins anew', (_what, more) => {
    expect(signalOf([embeddedPermit(1, measured([1, 0], [1, 0]))], measured([1, 0], [1, 0], more)).snapshot.embedding?.before).toBeNull();
  });

  test('a child goes on from what its parent had come to', () => {
    const parent = stateAfter(request('x'), embeddedPermit(1, measured([1, 0], [1, 1])));
    const child = childState(parent, parent.id, { parent: parent.id, parent_head: parent.head ?? ('' as never), parent_seq: parent.seq, delegation: [], began_at: '' });
    expect(child.embedded).toEqual({ model: 'm', version: 'm-1', nearness: 707 });
  });
});
