import { describe, expect, test } from 'vitest';

import { person, testId } from '@/lib/testing/authority-documents';
import { digestOfDigit } from '@/lib/testing/held-actions';

import { nextApprovalState, type ApprovalEvent } from './approval-machine';
import { approvalStatuses, type ApprovalState } from './approval-state';

const expires_at = '2027-03-01T14:30:00.000Z';
const before = '2027-03-01T14:29:59.999Z';
const basis_digest = digestOfDigit('a');
const successor = testId('approval', 'next');
const ben = person('ben');
const tally = { needed: 1, given: [ben], groups_missing: [], met: true };

const pending: ApprovalState = { status: 'pending', basis_digest, expires_at };
const ended: readonly ApprovalState[] = [
  { status: 'approved', at: before, by: [ben] },
  { status: 'denied', at: before, by: ben },
  { status: 'expired', at: expires_at },
  { status: 'withdrawn', at: before, by: 'priya' },
  { status: 'superseded', at: before, by: ben, successor },
  { status: 'stale', at: before, successor },
];

const events = (now: string): readonly ApprovalEvent[] => [
  { kind: 'approve', now, basis_digest, tally },
  { kind: 'deny', now, by: ben },
  { kind: 'expire', now },
  { kind: 'withdraw', now, by: 'priya' },
  { kind: 'supersede', now, by: ben, successor },
  { kind: 'basis_changed', now, successor },
];

const outcome = (state: ApprovalState, event: ApprovalEvent) => {
  const result = nextApprovalState(state, event);
  return result.ok ? result.value.status : result.error.code;
};

describe('an approval request', () => {
  test('the tables below cover every state', () => {
    expect([pending, ...ended].map(({ status }) => status)).toEqual(approvalStatuses);
  });

  test('before its expiry, each event has one outcome', () => {
    expect(events(before).map((event) => `${event.kind}: ${outcome(pending, event)}`)).toEqual([
      'approve: approved', 'deny: denied', 'expire: conflict', 'withdraw: withdrawn', 'supersede: superseded', 'basis_changed: stale',
    ]);
  });

  test('from the instant of its expiry on, nothing but its expiry counts', () => {
    expect(events(expires_at).map((event) => `${event.kind}: ${outcome(pending, event)}`)).toEqual([
      'approve: approval_expired', 'deny: approval_expired', 'expire: expired', 'withdraw: approval_expired', 'supersede: approval_expired', 'basis_changed: approval_expired',
    ]);
  });

  test('that has ended never changes again, and tells every loser who won', () => {
    for (const state of ended) {
      for (const event of [...events(before), ...events(expires_at)]) {
        expect(nextApprovalState(state, event)).toMatchObject({ ok: false, error: { code: 'already_resolved', winner: state } });
      }
    }
  });

  test('names the winner in the sentence that the loser reads', () => {
    const said = ended.map((state) => {
      const result = nextApprovalState(state, { kind: 'deny', now: before, by: ben });
      return result.ok ? '' : result.error.detail;
    });
    expect(said).toEqual([
      `The request is over: approved by ${ben} at ${before}.`,
      `The request is over: denied by ${ben} at ${before}.`,
      `The request is over: expired at ${expires_at}.`,
      `The request is over: withdrawn by priya at ${before}.`,
      `The request is over: replaced by ${successor} at ${before}.`,
      `The request is over: it changed at ${before} and goes on as ${successor}.`,
    ]);
  });

  test('stays open while the quorum is not met', () => {
    const event: ApprovalEvent = { kind: 'approve', now: before, basis_digest, tally: { ...tally, needed: 2, met: false } };
    expect(nextApprovalState(pending, event)).toEqual({ ok: true, value: pending });
  });

  test('is not approved by votes on another basis', () => {
    const event: ApprovalEvent = { kind: 'approve', now: before, basis_digest: digestOfDigit('b'), tally };
    expect(outcome(pending, event)).toBe('approval_stale');
  });

  test('expires at its expiry, however late the timekeeper comes', () => {
    expect(nextApprovalState(pending, { kind: 'expire', now: '2027-03-02T00:00:00.000Z' })).toEqual({ ok: true, value: { status: 'expired', at: expires_at } });
  });
});
