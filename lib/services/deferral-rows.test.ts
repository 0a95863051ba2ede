import { describe, expect, test } from 'vitest';

import type { DeferralDemand } from '@/lib/engine/decision';
import { nobodyToAsk } from '@/lib/ports/information-point';
import { randomIds } from '@/lib/server/random-ids';

import { deferralRow, waitsOf, withinLife } from './deferral-rows';
import { questionField } from './open-question';
import { nothingInTheWay, orderField } from './waiting-order';

const ids = randomIds();
const now = '2027-03-01T14:00:00.000Z';
const owner = { field: 'target_ownership', subject: 'database:orders', attribute: 'owner', suppliers: ['ip:records', 'group:data-owner'] };
const demand: DeferralDemand = { missing: [owner], timeout_s: 300, conflict: [] };
const deferred = { action: ids.make('action'), session: ids.make('session'), demand, inTheWay: nothingInTheWay, now, proposedAt: now, approval: undefined };
const row = (changes: Partial<Parameters<typeof deferralRow>[1]> = {}, sources: readonly string[] = []) =>
  deferralRow({ ids, information: { ...nobodyToAsk, sources: new Set(sources) } }, { ...deferred, ...changes });

describe('a deferral', () => {
  test('ends when its own time is over', () => {
    expect(row()).toMatchObject({ state: 'open', depth: 1, waits_for: [], expires_at: '2027-03-01T14:05:00.000Z' });
  });

  test('behind others has its own time once theirs is over', () => {
    const ahead = ids.make('action');
    const inTheWay = { waits: [ahead], depth: 2, until: '2027-03-01T14:30:00.000Z', broken: false };
    expect(row({ inTheWay })).toMatchObject({ depth: 2, waits_for: [ahead], expires_at: '2027-03-01T14:35:00.000Z' });
    expect(row({ inTheWay: { ...inTheWay, until: '2027-03-01T13:00:00.000Z' } }).expires_at).toBe('2027-03-01T14:05:00.000Z');
  });

  test('never outlives a day since the action was proposed', () => {
    expect(row({ proposedAt: '2027-02-28T14:02:00.000Z' }).expires_at).toBe('2027-03-01T14:02:00.000Z');
    expect(withinLife(now, '2027-03-09T14:00:00.000Z')).toBe('2027-03-02T14:00:00.000Z');
    expect(withinLife(now, '2027-03-01T15:00:00.000Z')).toBe('2027-03-01T15:00:00.000Z');
  });

  test('is due to be asked for at once when there is somebody to ask, and not at all when there is not', () => {
    expect(row({}, ['ip:records']).ask_at).toBe(now);
    expect(row({}, ['ip:other']).ask_at).toBeNull();
    expect(row({ demand: { ...demand, missing: [{ field: 'user_intent', suppliers: ['ip:records'] }] } }, ['ip:records']).ask_at).toBeNull();
  });

  test('names the fields that somebody could supply, and not that others are ahead', () => {
    const behind: DeferralDemand = { ...demand, missing: [owner, { field: orderField, suppliers: [] }] };
    expect(JSON.parse(row({ demand: behind }).missing)).toEqual([owner]);
  });

  test('names the answer that a person waits for, beside what else is missing, and not the evidence that it is', () => {
    const answer = { field: 'answer.1', subject: 'action:act_1', attribute: 'answer.1', suppliers: ['requester'] };
    const asked: DeferralDemand = { ...demand, missing: [owner, { field: questionField, suppliers: [] }] };
    expect(JSON.parse(waitsOf(asked, nothingInTheWay, answer).missing)).toEqual([owner, answer]);
  });
});
