import { describe, expect, test } from 'vitest';

import { idPrefixes, isId, type IdKind } from '@/lib/shared/ids';

import { randomIds } from './random-ids';

describe('random ids', () => {
  const ids = randomIds();

  test('every kind of id has its form', () => {
    const isKind = (kind: string): kind is IdKind => Object.hasOwn(idPrefixes, kind);
    for (const kind of Object.keys(idPrefixes).filter(isKind)) {
      const id: string = ids.make(kind);
      expect(isId(kind, id), id).toBe(true);
    }
  });

  test('hold at least 100 bits: no two of many are equal and every place uses every digit', () => {
    const made = Array.from({ length: 20_000 }, () => ids.make('action').slice('act_'.length));
    expect(new Set(made).size).toBe(made.length);
    expect(Math.log2(36) * (made[0]?.length ?? 0)).toBeGreaterThan(100);
    for (let place = 0; place < (made[0]?.length ?? 0); place++) {
      const counts = new Map<string, number>();
      for (const id of made) counts.set(id.charAt(place), (counts.get(id.charAt(place)) ?? 0) + 1);
      expect(counts.size).toBe(36);
      // 555 expected of each digit; eight standard deviations either way is never chance, but a folded byte would be.
      for (const count of counts.values()) expect(Math.abs(count - 20_000 / 36)).toBeLessThan(8 * Math.sqrt(20_000 / 36));
    }
  });

  test('two makers never share randomness', () => {
    const other = randomIds();
    expect(ids.make('session')).not.toBe(other.make('session'));
  });

  test('a token says what it is and holds 256 bits; a salt has 16 bytes', () => {
    expect(ids.token('csa')).toMatch(/^csa_[A-Za-z0-9_-]{43}$/);
    expect(ids.token('csa')).not.toBe(ids.token('csa'));
    expect(ids.salt()).toHaveLength(16);
    expect(ids.salt()).not.toEqual(ids.salt());
  });
});
