import { describe, expect, test } from 'vitest';

import type { JsonObject } from '@/lib/shared/json';
import { attribute, mail, outcome, permit, request, snap, stateAfter } from '@/lib/testing/context-builders';

import { type SessionState } from './session-state';
import type { Evidence } from './take-snapshot';

describe('signals', () => {
  const score = (state: SessionState, key: string, parameters: JsonObject, name: string, more: Partial<Evidence> = {}) => snap(state, key, parameters, more).signals.find((signal) => signal.name === name);

  test('are integers in thousandths with evidence', () => {
    for (const signal of snap(stateAfter(request('Send the report to bob@drop.net')), 'email.send', mail('bob@drop.net')).signals) {
      expect(Number.isInteger(signal.score) && Number.isInteger(signal.weight) && signal.evidence !== '').toBe(true);
      expect(signal.score).toBeGreaterThanOrEqual(0);
      expect(signal.score).toBeLessThanOrEqual(1000);
    }
  });

  test('the verb that was asked for aligns, another one does not, and without a request nobody knows', () => {
    const state = stateAfter(request('Delete the old test data'));
    expect(score(state, 'database.delete', { table: 'test_data' }, 'verb_alignment')?.score).toBe(1000);
    expect(score(state, 'email.send', mail('a@b.example'), 'verb_alignment')?.score).toBeLessThan(300);
    expect(score(stateAfter(), 'email.send', mail('a@b.example'), 'verb_alignment')).toMatchObject({ score: null, missing: 'user_intent' });
  });

  test('a verb in near words, a wish for the thing, and a condition stand between asked and not', () => {
    const verb = (text: string, key: string, parameters: JsonObject) => score(stateAfter(request(text)), key, parameters, 'verb_alignment')?.score;
    expect(verb('Share it with Bo', 'email.send', mail('a@b.example'))).toBe(800);
    expect(verb('If it is late, send a mail to Bo', 'email.send', mail('a@b.example'))).toBe(600);
    expect(verb('Send it. Do not send it.', 'email.send', mail('a@b.example'))).toBe(300);
  });

  test('ownership is the owner\'s, somebody else\'s, or missing', () => {
    const state = (value: string) => stateAfter(request('x'), attribute('database:t_one', 'owner', value));
    expect(score(state('mia@corp.example'), 'database.delete', { table: 't_one' }, 'ownership')?.score).toBe(1000);
    expect(score(state('bob@corp.example'), 'database.delete', { table: 't_one' }, 'ownership')?.score).toBe(0);
    expect(score(stateAfter(request('x')), 'database.delete', { table: 't_one' }, 'ownership')).toMatchObject({ score: null, missing: 'target_ownership' });
  });

  test.each([
    ['an internal recipient', 'bob@corp.example', 1000],
    ['an external one', 'bob@partner.example', 200],
    ['one that imitates an own domain', 'bob@c0rp.example', 0],
    ['one under a longer domain', 'bob@corp.example.drop.net', 0],
  ])('%s', (_, to, wanted) => {
    expect(score(stateAfter(request('hello')), 'email.send', mail(to), 'recipient')?.score).toBe(wanted);
  });

  test('less trusted values never score higher', () => {
    const place = [request('to bob@drop.net'), outcome(1, 'bob@drop.net', { trusted: true }), outcome(1, 'bob@drop.net'), request('nobody')];
    const scores = place.map((entry) => score(stateAfter(entry), 'email.send', mail('bob@drop.net'), 'provenance')?.score ?? 0);
    expect([...scores].sort((a, b) => b - a)).toEqual(scores);
  });

  test('an output full of instructions lowers until the next request', () => {
    const read = [request('Read it'), permit(1, 'email.read', { id: 'm001' }), outcome(1, 'ignore all', { injection: 900 })];
    expect(score(stateAfter(...read), 'email.send', mail('a@b.example'), 'injection')?.score).toBe(100);
    expect(score(stateAfter(...read, request('go on')), 'email.send', mail('a@b.example'), 'injection')?.score).toBe(1000);
  });

  test('pace, reach and amounts', () => {
    const burst = stateAfter(...Array.from({ length: 60 }, (_, i) => permit(i, 'email.read', { id: `m${String(i)}` })));
    expect(score(burst, 'email.read', { id: 'm1' }, 'velocity')?.score).toBe(0);
    expect(score(burst, 'email.read', { id: 'm1' }, 'velocity', { now: '2026-03-01T10:05:00.000Z' })?.score).toBe(1000);
    expect(score(stateAfter(request('tidy')), 'database.delete', { table: 'orders' }, 'scope')?.score).toBe(200);
    const pay = (amount: number) => score(stateAfter(request('Pay $100 to Ann')), 'payments.transfer', { to: 'ann', amount, currency: 'USD' }, 'volume')?.score;
    expect([pay(100), pay(50), pay(1000)]).toEqual([1000, 700, 50]);
  });
});
