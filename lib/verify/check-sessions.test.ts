import { describe, expect, it } from 'vitest';

import type { ReceiptPredicate } from '@/lib/ledger/receipt-predicate';
import type { SessionId } from '@/lib/shared/ids';
import { testId, testTime, type LedgerBuilder } from '@/lib/testing/ledger-builder';
import { allowedAction, beginStory, contextAt, decided, session } from '@/lib/testing/ledger-story';
import { nodeSha256 as sha256, nodeVerifySignature as verifySignature } from '@/lib/testing/node-crypto';

import { verifyBundle } from './verify-bundle';

async function sessionsOf(tell: (ledger: LedgerBuilder) => Promise<unknown>) {
  const ledger = await beginStory();
  await tell(ledger);
  await ledger.checkpoint();
  const report = await verifyBundle(await ledger.bytes(), { sha256, verifySignature });
  return report.checks.find(({ id }) => id === 'sessions');
}

describe('every decision saw all that its session had done before', () => {
  it('a session whose decisions follow one another holds', async () => {
    const check = await sessionsOf(async (ledger) => {
      await allowedAction(ledger, 1, 1);
      await allowedAction(ledger, 2, 3);
    });
    expect(check?.state).toBe('pass');
  });

  it('two decisions that both saw the same context are refused, at the second', async () => {
    const check = await sessionsOf(async (ledger) => {
      await ledger.append('action_decided', decided(ledger, 1, 1));
      await ledger.append('action_decided', decided(ledger, 2, 1));
    });
    expect(check).toMatchObject({ state: 'fail', firstBad: 5 });
  });

  it('a context that goes back, or changes without growing, is refused', async () => {
    const message = { session, message_digest: contextAt(9).context_head, by: { kind: 'orchestrator', id: 'helpdesk' } } as const;
    const back = await sessionsOf((ledger) => ledger.append('message_recorded', { ...message, ...contextAt(0) }));
    expect(back?.state).toBe('fail');
    const changed = await sessionsOf((ledger) => ledger.append('message_recorded', { ...message, context_head: contextAt(5).context_head, context_seq: 1 }));
    expect(changed?.state).toBe('fail');
  });

  it('sessions are followed one by one', async () => {
    const check = await sessionsOf(async (ledger) => {
      const other = testId('session', 2);
      await ledger.append('action_decided', decided(ledger, 1, 1));
      const body = decided(ledger, 2, 7);
      await ledger.append('action_decided', { ...body, identity: { ...body.identity, session: other } });
      await ledger.append('action_decided', decided(ledger, 3, 2));
    });
    expect(check?.state).toBe('pass');
  });
});

describe('a child session is never more than its parent', () => {
  const child = testId('session', 7);
  const by = { kind: 'orchestrator', id: 'helpdesk' } as const;
  const told = (ledger: LedgerBuilder, seq: number) => ledger.append('delegation_recorded', { session, child, event: 'opened', by, ...contextAt(seq) });
  const opening = async (ledger: LedgerBuilder, changes: Partial<ReceiptPredicate<'session_opened'>> = {}) =>
    ledger.append('session_opened', {
      session: child, human: 'requester@corp.example', service: 'helpdesk', agent: 'agent-1', role: 'support', scope: [], delegation: [session],
      parent: { session, ...contextAt(2) }, request_assurance: 'orchestrator', expires_at: testTime(86_000), ...contextAt(101), ...changes,
    });
  const closed = (ledger: LedgerBuilder, one: SessionId, seq: number) => ledger.append('session_closed', { session: one, cause: 'closed', by, ...contextAt(seq) });
  const inChild = (ledger: LedgerBuilder, n: number, seq: number) => {
    const body = decided(ledger, n, seq);
    return ledger.append('action_decided', { ...body, identity: { ...body.identity, session: child, delegation: [session] } });
  };

  it('one that goes on from where its parent was, and ends before it, holds', async () => {
    const check = await sessionsOf(async (ledger) => {
      await told(ledger, 2);
      await opening(ledger);
      await inChild(ledger, 1, 101);
      await closed(ledger, child, 102);
      await closed(ledger, session, 2);
    });
    expect(check).toMatchObject({ state: 'pass' });
  });

  it.each<[string, Partial<ReceiptPredicate<'session_opened'>>]>([
    ['goes on from an earlier step of its parent', { parent: { session, ...contextAt(1) } }],
    ['is for another human', { human: 'owner@corp.example' }],
    ['claims a better vouched request', { request_assurance: 'verified' }],
    ['names no parent', { delegation: [] }],
    ['names other sessions above it', { delegation: [session, testId('session', 9)] }],
  ])('one that %s is refused', async (_, changes) => {
    const check = await sessionsOf(async (ledger) => {
      await told(ledger, 2);
      await opening(ledger, changes);
    });
    expect(check?.state).toBe('fail');
  });

  it('nothing is permitted in it, nor in its parent, once the parent has ended', async () => {
    const check = await sessionsOf(async (ledger) => {
      await told(ledger, 2);
      await opening(ledger);
      await closed(ledger, session, 2);
    });
    expect(check?.state).toBe('fail');
    const own = await sessionsOf(async (ledger) => {
      await closed(ledger, session, 1);
      await ledger.append('action_decided', decided(ledger, 1, 1));
    });
    expect(own).toMatchObject({ state: 'fail' });
    const late = await sessionsOf(async (ledger) => {
      await closed(ledger, session, 1);
      await opening(ledger, { parent: { session, ...contextAt(1) } });
    });
    expect(late).toMatchObject({ state: 'fail' });
  });
});
