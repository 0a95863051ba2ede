import { describe, expect, test } from 'vitest';

import { deferralStatuses, nextDeferralState, type DeferralEvent, type DeferralState } from './deferral-machine';

const expires_at = '2027-03-01T14:30:00.000Z';
const before = '2027-03-01T14:29:59.999Z';
const open: DeferralState = { status: 'open', expires_at, at_timeout: 'DENY' };
const ended: readonly DeferralState[] = [
  { status: 'resolved', at: before, decision: 'ALLOW' },
  { status: 'expired', at: expires_at, decision: 'DENY' },
  { status: 'withdrawn', at: before, by: 'priya' },
];
const outcomes = ['ALLOW', 'MODIFY', 'STEP_UP', 'DENY'] as const;
const events = (now: string): readonly DeferralEvent[] => [
  ...outcomes.map((decision) => ({ kind: 'redecide', now, decision }) as const),
  { kind: 'redecide', now, decision: 'DEFER' },
  { kind: 'expire', now },
  { kind: 'withdraw', now, by: 'priya' },
];

describe('a deferral', () => {
  test('the tables below cover every state', () => {
    expect([open, ...ended].map(({ status }) => status)).toEqual(deferralStatuses);
  });

  test('ends with what re-deciding says, and stays open while that is DEFER', () => {
    for (const decision of outcomes) {
      expect(nextDeferralState(open, { kind: 'redecide', now: before, decision })).toEqual({ ok: true, value: { status: 'resolved', at: before, decision } });
    }
    expect(nextDeferralState(open, { kind: 'redecide', now: before, decision: 'DEFER' })).toEqual({ ok: true, value: open });
  });

  test('does not expire early, and can be withdrawn', () => {
    expect(nextDeferralState(open, { kind: 'expire', now: before })).toMatchObject({ ok: false, error: { code: 'conflict' } });
    expect(nextDeferralState(open, { kind: 'withdraw', now: before, by: 'priya' })).toEqual({ ok: true, value: { status: 'withdrawn', at: before, by: 'priya' } });
  });

  test('from the instant of its expiry on, nothing but its expiry counts', () => {
    for (const event of events(expires_at)) {
      const result = nextDeferralState(open, event);
      if (event.kind === 'expire') expect(result).toEqual({ ok: true, value: { status: 'expired', at: expires_at, decision: 'DENY' } });
      else expect(result).toMatchObject({ ok: false, error: { code: 'deferral_expired' } });
    }
  });

  test('asks a person at its timeout only where a rule says so', () => {
    expect(nextDeferralState({ ...open, at_timeout: 'STEP_UP' }, { kind: 'expire', now: expires_at })).toMatchObject({ ok: true, value: { decision: 'STEP_UP' } });
  });

  test('that has ended never changes again, and tells who won', () => {
    for (const state of ended) {
      for (const event of [...events(before), ...events(expires_at)]) {
        expect(nextDeferralState(state, event)).toMatchObject({ ok: false, error: { code: 'already_resolved', winner: state } });
      }
    }
  });
});
