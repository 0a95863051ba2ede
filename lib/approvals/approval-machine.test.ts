import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { person, testId } from '@/lib/testing/authority-documents';
import { digestOfDigit } from '@/lib/testing/held-actions';

import { mostExtensions, nextApprovalState, type ApprovalEvent } from './approval-machine';
import type { ApprovalState, ApprovalStatus, PendingApproval, ResolvedApproval } from './approval-state';

const expires_at = '2027-03-01T14:30:00.000Z';
const before = '2027-03-01T14:29:59.999Z';
const basis_digest = digestOfDigit('a');
const successor = testId('approval', 'next');
const edited = testId('action', 'edited');
const ben = person('ben');
const tally = { needed: 1, given: [ben], groups_missing: [], met: true };

const pending: PendingApproval = {
  status: 'pending', basis_digest, expires_at, ends_by: '2027-03-01T15:00:00.000Z', extensions: 0, asked: ['security'],
  backup: { groups: ['backup', 'security'], at: '2027-03-01T14:20:00.000Z' },
};

/** Every state that is final. A new one does not compile until it has its row here. */
const ended: { readonly [Status in ResolvedApproval['status']]: Extract<ApprovalState, { readonly status: Status }> } = {
  approved: { status: 'approved', at: before, by: [ben] },
  denied: { status: 'denied', at: before, by: ben },
  expired: { status: 'expired', at: expires_at },
  withdrawn: { status: 'withdrawn', at: before, by: 'priya' },
  superseded: { status: 'superseded', at: before, by: ben, successor: edited },
  stale: { status: 'stale', at: before, successor },
};

type Kind = ApprovalEvent['kind'];
type Event<K extends Kind> = K extends unknown ? Omit<Extract<ApprovalEvent, { readonly kind: K }>, 'now'> : never;
type Outcome = ApprovalStatus | 'conflict' | 'approval_expired' | 'approval_stale' | 'edit_pending' | 'invalid_input';

/** Every event, in each variant that ends otherwise: what comes of it before the expiry. A new one does not compile until it is here. */
const events: { readonly [K in Kind]: Readonly<Record<string, readonly [event: Event<K>, outcome: Outcome, on?: Partial<PendingApproval>]>> } = {
  approve: {
    'completing the quorum': [{ kind: 'approve', basis_digest, tally }, 'approved'],
    'one of two': [{ kind: 'approve', basis_digest, tally: { ...tally, needed: 2, met: false } }, 'pending'],
    'while an edit waits': [{ kind: 'approve', basis_digest, tally }, 'edit_pending', { edited: { by: ben, action: edited } }],
    'on another basis': [{ kind: 'approve', basis_digest: digestOfDigit('b'), tally }, 'approval_stale'],
  },
  deny: { 'by one': [{ kind: 'deny', by: ben }, 'denied'], 'while an edit waits': [{ kind: 'deny', by: ben }, 'denied', { edited: { by: ben, action: edited } }] },
  expire: { early: [{ kind: 'expire' }, 'conflict'] },
  withdraw: { 'by the requester': [{ kind: 'withdraw', by: 'priya' }, 'withdrawn'] },
  edit: {
    'for the first time': [{ kind: 'edit', by: ben, successor: edited }, 'pending'],
    'once more': [{ kind: 'edit', by: ben, successor: edited }, 'edit_pending', { edited: { by: ben, action: edited } }],
  },
  supersede: {
    'by the edit that waits': [{ kind: 'supersede', by: ben, successor: edited }, 'superseded', { edited: { by: ben, action: edited } }],
    'by another one': [{ kind: 'supersede', by: ben, successor: testId('action', 'other') }, 'conflict', { edited: { by: ben, action: edited } }],
    'by none': [{ kind: 'supersede', by: ben, successor: edited }, 'conflict'],
  },
  basis_changed: {
    'and held again': [{ kind: 'basis_changed', successor }, 'stale'],
    'and not held any more': [{ kind: 'basis_changed', successor: null }, 'stale'],
  },
  extend: {
    'as far as it may': [{ kind: 'extend', until: pending.ends_by }, 'pending'],
    'a moment further': [{ kind: 'extend', until: '2027-03-01T15:00:00.001Z' }, 'invalid_input'],
    'to its own end': [{ kind: 'extend', until: expires_at }, 'invalid_input'],
    'to an earlier one': [{ kind: 'extend', until: before }, 'invalid_input'],
    'once too often': [{ kind: 'extend', until: pending.ends_by }, 'conflict', { extensions: mostExtensions }],
  },
  escalate: {
    'in time': [{ kind: 'escalate' }, 'pending'],
    early: [{ kind: 'escalate' }, 'conflict', { backup: { groups: ['backup'], at: expires_at } }],
    'without a backup': [{ kind: 'escalate' }, 'conflict', { backup: null }],
  },
};
type Case = { readonly name: string; readonly event: Event<Kind>; readonly outcome: Outcome; readonly on: PendingApproval };
const cases: readonly Case[] = Object.values(events).flatMap((variants) =>
  Object.entries(variants).map(([name, [event, outcome, on]]) => ({ name: `${event.kind} ${name}`, event, outcome, on: { ...pending, ...on } })));
const at = (now: string, event: Event<Kind>): ApprovalEvent => ({ ...event, now });

const outcome = (state: ApprovalState, event: ApprovalEvent) => {
  const result = nextApprovalState(state, event);
  return result.ok ? result.value.status : result.error.code;
};

describe('an approval request that waits', () => {
  test.each(cases)('before its expiry: $name → $outcome', ({ event, outcome: wanted, on }) => {
    expect(outcome(on, at(before, event))).toBe(wanted);
  });

  test.each(cases)('from the instant of its expiry on: $name → nothing but the expiry counts', ({ event, on }) => {
    for (const now of [expires_at, '2027-03-02T00:00:00.000Z']) expect(outcome(on, at(now, event))).toBe(event.kind === 'expire' ? 'expired' : 'approval_expired');
  });

  test('that has ended never changes again, and tells every loser who won', () => {
    for (const state of Object.values(ended)) {
      for (const { event } of cases) {
        for (const now of [before, expires_at]) expect(nextApprovalState(state, at(now, event))).toMatchObject({ ok: false, error: { code: 'already_resolved', winner: state } });
      }
    }
  });

  test('names the winner in the sentence that the loser reads', () => {
    const said = Object.values(ended).map((state) => {
      const result = nextApprovalState(state, { kind: 'deny', now: before, by: ben });
      return result.ok ? '' : result.error.detail;
    });
    expect(said).toEqual([
      `The request is over: approved by ${ben} at ${before}.`,
      `The request is over: denied by ${ben} at ${before}.`,
      `The request is over: expired at ${expires_at}.`,
      `The request is over: withdrawn by priya at ${before}.`,
      `The request is over: replaced by ${edited} at ${before}.`,
      `The request is over: it changed at ${before} and goes on as ${successor}.`,
    ]);
  });

  test('that was edited says so to everybody who comes later, and changes in nothing else', () => {
    const waiting = { ...pending, edited: { by: ben, action: edited } };
    expect(nextApprovalState(pending, { kind: 'edit', now: before, by: ben, successor: edited })).toEqual({ ok: true, value: waiting });
    for (const event of [{ kind: 'approve', basis_digest, tally }, { kind: 'edit', by: ben, successor: edited }, { kind: 'extend', until: pending.ends_by }, { kind: 'basis_changed', successor: null }] as const) {
      expect(nextApprovalState(waiting, { ...event, now: before })).toMatchObject({ error: { code: 'edit_pending', detail: `${ben} has changed it: it goes on as ${edited}.` } });
    }
    expect(outcome(waiting, { kind: 'withdraw', now: before, by: 'priya' })).toBe('withdrawn');
  });

  test('stays as it was while the quorum is not met', () => {
    expect(nextApprovalState(pending, { kind: 'approve', now: before, basis_digest, tally: { ...tally, needed: 2, met: false } })).toEqual({ ok: true, value: pending });
  });

  test('expires at its own end, however late the timekeeper comes', () => {
    expect(nextApprovalState(pending, { kind: 'expire', now: '2027-03-02T00:00:00.000Z' })).toEqual({ ok: true, value: { status: 'expired', at: expires_at } });
  });

  test('that was extended counts votes until its new end, and changes in nothing else', () => {
    const extended = { ...pending, expires_at: pending.ends_by, extensions: 1 };
    expect(nextApprovalState(pending, { kind: 'extend', now: before, until: pending.ends_by })).toEqual({ ok: true, value: extended });
    expect(outcome(extended, { kind: 'approve', now: expires_at, basis_digest, tally })).toBe('approved');
    expect(outcome(extended, { kind: 'expire', now: expires_at })).toBe('conflict');
  });

  test('that was escalated asks the backup as well, once, and changes in nothing else', () => {
    const escalated = { ...pending, asked: ['security', 'backup'], backup: null };
    expect(nextApprovalState(pending, { kind: 'escalate', now: before })).toEqual({ ok: true, value: escalated });
    expect(outcome(escalated, { kind: 'escalate', now: before })).toBe('conflict');
  });

  test('never lasts longer than it may, ends once, and asks nobody less, whatever happens in whatever order', () => {
    const time = fc.integer({ min: -60, max: 60 }).map((minutes) => new Date(Date.parse(expires_at) + minutes * 60_000).toISOString());
    const step = fc.tuple(fc.constantFrom(...cases.map(({ event }) => event)), time, time).map(([event, now, until]) => at(now, event.kind === 'extend' ? { kind: 'extend', until } : event));
    fc.assert(fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      let state: ApprovalState = pending;
      for (const event of steps) {
        const next = nextApprovalState(state, event);
        if (state.status !== 'pending') {
          expect(next).toMatchObject({ ok: false, error: { winner: state } });
          continue;
        }
        if (!next.ok) continue;
        if (event.kind !== 'expire') expect(event.now < state.expires_at).toBe(true);
        if (next.value.status === 'pending') {
          expect(next.value.expires_at >= state.expires_at && next.value.expires_at <= pending.ends_by).toBe(true);
          expect(next.value.asked).toEqual(expect.arrayContaining([...state.asked]));
        }
        state = next.value;
      }
    }));
  });
});
