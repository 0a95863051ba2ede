import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { digestOfDigit } from '@/lib/testing/held-actions';

import { parsePin } from './parse-pin';
import { advancePin, comparePin, pinOfFingerprint, type Pin, type ShownState } from './pins';

const fingerprint = digestOfDigit('f');
const shown: ShownState = {
  root_fingerprint: fingerprint,
  root_version: 2,
  policy: { revision: 5, digest: digestOfDigit('5') },
  roster_version: 3,
  log: { size: 40, root: digestOfDigit('b'), root_at_pin: digestOfDigit('a') },
};
const pin: Pin = {
  schema: 'countersign/pin/v1',
  root_fingerprint: fingerprint,
  root_version: 2,
  policy: { revision: 5, digest: digestOfDigit('5') },
  roster_version: 3,
  log: { size: 30, root: digestOfDigit('a') },
};

const verdict = (against: Pin | undefined, state: ShownState) => {
  const result = comparePin(against, state);
  return result.ok ? 'ok' : result.error.code;
};

describe('a pin', () => {
  test('lets through what it has seen and what is newer', () => {
    expect(verdict(pin, shown)).toBe('ok');
    expect(verdict(pin, { ...shown, root_version: 9, roster_version: 9, policy: { revision: 9, digest: digestOfDigit('9') } })).toBe('ok');
    expect(verdict(pinOfFingerprint(fingerprint), shown)).toBe('ok');
  });

  test('is never adopted from the database', () => {
    expect(verdict(undefined, shown)).toBe('trust_root_unpinned');
  });

  test.each<[string, Partial<ShownState>]>([
    ['another trust root', { root_fingerprint: digestOfDigit('0') }],
    ['an older trust root', { root_version: 1 }],
    ['an older roster', { roster_version: 2 }],
    ['an older policy', { policy: { revision: 4, digest: digestOfDigit('4') } }],
    ['no policy any more', { policy: null }],
    ['another text for the same revision', { policy: { revision: 5, digest: digestOfDigit('6') } }],
    ['a shorter log', { log: { size: 29, root: digestOfDigit('a'), root_at_pin: null } }],
    ['a rewritten history', { log: { size: 40, root: digestOfDigit('b'), root_at_pin: digestOfDigit('c') } }],
    ['a history that was not recomputed', { log: { size: 40, root: digestOfDigit('b'), root_at_pin: null } }],
    ['another log of the same length', { log: { size: 30, root: digestOfDigit('b'), root_at_pin: digestOfDigit('a') } }],
  ])('finds a rollback in %s', (_, changes) => {
    expect(verdict(pin, { ...shown, ...changes })).toBe('rollback_detected');
  });

  test('advances to what was served, and never back', () => {
    const ahead = advancePin(pin, shown);
    expect(ahead).toEqual({ ok: true, value: { ...pin, log: { size: 40, root: digestOfDigit('b') } } });
    expect(advancePin(pin, { ...shown, root_version: 1 })).toMatchObject({ ok: false, error: { code: 'rollback_detected' } });
  });

  test('after it advanced, every state that is behind in any part is a rollback', () => {
    const versions = fc.record({ root: fc.integer({ min: 1, max: 9 }), roster: fc.integer({ min: 1, max: 9 }), policy: fc.integer({ min: 1, max: 9 }), log: fc.integer({ min: 1, max: 9 }) });
    const state = (v: { root: number; roster: number; policy: number; log: number }, pinned: number): ShownState => ({
      root_fingerprint: fingerprint,
      root_version: v.root,
      roster_version: v.roster,
      policy: { revision: v.policy, digest: digestOfDigit(String(v.policy)) },
      log: { size: v.log, root: digestOfDigit(String(v.log)), root_at_pin: v.log >= pinned ? digestOfDigit(String(pinned)) : null },
    });
    fc.assert(
      fc.property(versions, versions, (served, offered) => {
        const held = advancePin(pinOfFingerprint(fingerprint), state(served, 0));
        if (!held.ok) throw new Error(held.error.detail);
        const behind = offered.root < served.root || offered.roster < served.roster || offered.policy < served.policy || offered.log < served.log;
        expect(verdict(held.value, state(offered, served.log))).toBe(behind ? 'rollback_detected' : 'ok');
      }),
    );
  });

  test('survives being written and read, and a damaged one is no pin at all', () => {
    expect(parsePin(JSON.stringify(pin))).toEqual({ ok: true, value: pin });
    for (const text of ['', '{}', JSON.stringify({ ...pin, root_version: -1 }), JSON.stringify({ ...pin, extra: 1 })]) {
      expect(parsePin(text)).toMatchObject({ ok: false, error: { code: 'trust_root_unpinned' } });
    }
  });
});
