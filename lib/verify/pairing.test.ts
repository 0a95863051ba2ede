import { describe, expect, it } from 'vitest';

import { digestOf, utf8 } from '@/lib/shared/encoding';
import { testId, testTime, type LedgerBuilder } from '@/lib/testing/ledger-builder';
import { allowedAction, approvedAction, beginStory, contextAt, decided, permitFor, redeemAndReport, session } from '@/lib/testing/ledger-story';
import { nodeSha256 as sha256, nodeVerifySignature as verifySignature } from '@/lib/testing/node-crypto';

import { verifyBundle } from './verify-bundle';

const pep = { kind: 'enforcement_point', id: 'pep-1' } as const;
const other = digestOf(sha256, utf8('other'));

async function pairingOf(tell: (ledger: LedgerBuilder) => Promise<void>, choice: { from?: number } = {}) {
  const ledger = await beginStory();
  await tell(ledger);
  await ledger.checkpoint();
  const report = await verifyBundle(await ledger.bytes(choice), { sha256, verifySignature });
  return { pairing: report.pairing, check: report.checks.find(({ id }) => id === 'pairing'), verdict: report.verdict };
}

const redeemed = (action: { id: ReturnType<typeof testId<'action'>>; digest: typeof other }, seq: number) =>
  ({ session, permit: testId('permit', 1), action, by: pep, ...contextAt(seq) }) as const;

const outcome = (action: Parameters<typeof redeemed>[0], seq: number, status: 'succeeded' | 'unknown' = 'succeeded', late = false) =>
  ({ ...redeemed(action, seq), by: undefined, status, labels: [], trusted: true, late, reported_by: pep }) as const;

/** Without the key that outcomes do not have. */
const report = (ledger: LedgerBuilder, ...given: Parameters<typeof outcome>) => {
  const { by: _by, ...body } = outcome(...given);
  return ledger.append('outcome_reported', body);
};

describe('pairing names how an action stands', () => {
  it.each<[string, (ledger: LedgerBuilder) => Promise<unknown>]>([
    ['completed', (ledger) => allowedAction(ledger, 1, 1)],
    ['completed', (ledger) => approvedAction(ledger, 1, 1)],
    ['permit_unused', (ledger) => ledger.append('action_decided', decided(ledger, 1, 1))],
    ['outcome_missing', async (ledger) => {
      const body = decided(ledger, 1, 1);
      await ledger.append('action_decided', body);
      await ledger.append('permit_redeemed', redeemed(body.action, 2));
    }],
    ['outcome_unknown', async (ledger) => {
      const body = decided(ledger, 1, 1);
      await ledger.append('action_decided', body);
      await ledger.append('permit_redeemed', redeemed(body.action, 2));
      await report(ledger, body.action, 3, 'unknown');
    }],
    ['outcome_late', async (ledger) => {
      const body = decided(ledger, 1, 1);
      await ledger.append('action_decided', body);
      await ledger.append('permit_redeemed', redeemed(body.action, 2));
      await report(ledger, body.action, 3, 'unknown');
      await report(ledger, body.action, 4, 'succeeded', true);
    }],
    ['permit_void', async (ledger) => {
      const body = decided(ledger, 1, 1);
      await ledger.append('action_decided', body);
      await ledger.append('permit_refused', { permit: testId('permit', 1), action: body.action, code: 'permit_stale', by: pep });
    }],
    ['withdrawn', async (ledger) => {
      const body = decided(ledger, 1, 1);
      await ledger.append('action_decided', body);
      await ledger.append('action_withdrawn', { session, action: body.action, cause: 'withdrawn', by: pep });
    }],
  ])('%s', async (verdict, tell) => {
    const { pairing, check } = await pairingOf(async (ledger) => void (await tell(ledger)));
    expect(pairing.map((one) => one.verdict)).toEqual([verdict]);
    expect(check?.state).toBe('pass');
  });

  it('a permit that ran out and was refused stays unused', async () => {
    const { pairing } = await pairingOf(async (ledger) => {
      const body = decided(ledger, 1, 1);
      await ledger.append('action_decided', body);
      await ledger.append('permit_refused', { permit: testId('permit', 1), action: body.action, code: 'permit_expired', by: pep });
    });
    expect(pairing[0]?.verdict).toBe('permit_unused');
  });
});

describe('what does not belong together is refused, with its name', () => {
  it.each<[string, (ledger: LedgerBuilder) => Promise<unknown>]>([
    ['redeemed_twice', async (ledger) => {
      const action = await allowedAction(ledger, 1, 1);
      await ledger.append('permit_redeemed', redeemed(action, 3));
    }],
    ['redeemed_without_permit', async (ledger) => {
      const { permit: _permit, ...denied } = decided(ledger, 1, 1, { decision: 'DENY', state: 'denied', code: 'denied_by_default' });
      await ledger.append('action_decided', denied);
      await redeemAndReport(ledger, 1, denied.action, 1);
    }],
    ['redeemed_without_permit', async (ledger) => {
      const body = decided(ledger, 1, 1);
      await ledger.append('action_decided', body);
      await ledger.append('permit_refused', { permit: testId('permit', 1), action: body.action, code: 'permit_stale', by: pep });
      await ledger.append('permit_redeemed', redeemed(body.action, 2));
    }],
    ['redeemed_after_expiry', async (ledger) => {
      const body = decided(ledger, 1, 1);
      await ledger.append('action_decided', { ...body, permit: { ...permitFor(1, body.action.digest, 2), expires_at: testTime(5) } });
      await ledger.append('permit_redeemed', redeemed(body.action, 2));
    }],
    ['outcome_without_redemption', async (ledger) => {
      const body = decided(ledger, 1, 1);
      await ledger.append('action_decided', body);
      await report(ledger, body.action, 3);
    }],
    ['outcome_twice', async (ledger) => {
      const action = await allowedAction(ledger, 1, 1);
      await report(ledger, action, 4);
    }],
    ['permit_for_another_action', (ledger) => {
      const body = decided(ledger, 1, 1);
      return ledger.append('action_decided', { ...body, permit: permitFor(1, other, 2) });
    }],
    ['permit_for_another_action', (ledger) => approvedAction(ledger, 1, 1, { issued: { permit: permitFor(1, other, 2) } })],
    ['permit_without_approval', (ledger) => ledger.append('action_decided', decided(ledger, 1, 1, { decision: 'STEP_UP', state: 'held' }))],
    ['permit_without_approval', (ledger) => approvedAction(ledger, 1, 1, { resolved: { state: 'expired' } })],
    ['permit_without_approval', (ledger) => approvedAction(ledger, 1, 1, { issued: { approval: testId('approval', 7) } })],
    ['quorum_not_met', (ledger) => approvedAction(ledger, 1, 1, { request: { quorum: 2 } })],
    ['quorum_not_met', (ledger) => approvedAction(ledger, 1, 1, { resolved: { votes: [] } })],
    ['approval_without_request', (ledger) => approvedAction(ledger, 1, 1, { resolved: { approval: testId('approval', 8) } })],
    ['request_without_decision', (ledger) => approvedAction(ledger, 1, 1, { request: { approval: testId('approval', 8) } })],
    ['decision_at_odds', (ledger) => approvedAction(ledger, 1, 1, { decision: { decision: 'DENY', code: 'denied_by_default' } })],
    ['decision_at_odds', (ledger) => {
      const { permit: _permit, ...body } = decided(ledger, 1, 1, { decision: 'ALLOW', state: 'denied' });
      return ledger.append('action_decided', body);
    }],
    ['proposed_twice', async (ledger) => {
      await ledger.append('action_decided', decided(ledger, 1, 1));
      await ledger.append('action_decided', decided(ledger, 1, 1));
    }],
    ['permitted_twice', async (ledger) => {
      const body = decided(ledger, 1, 1);
      await ledger.append('action_decided', body);
      await ledger.append('action_decided', { ...body, cause: 'requeued', permit: permitFor(2, body.action.digest, 2) });
    }],
    ['went_on_after_end', async (ledger) => {
      const body = decided(ledger, 1, 1);
      await ledger.append('action_decided', body);
      await ledger.append('action_withdrawn', { session, action: body.action, cause: 'withdrawn', by: pep });
      await ledger.append('permit_redeemed', redeemed(body.action, 2));
    }],
  ])('%s', async (verdict, tell) => {
    const { pairing, check, verdict: whole } = await pairingOf(async (ledger) => void (await tell(ledger)));
    expect(pairing.map((one) => one.verdict)).toEqual([verdict]);
    expect(check?.state).toBe('fail');
    expect(check?.firstBad).toBe(pairing[0]?.index);
    expect(whole).toBe('failed');
  });
});

it('an action whose beginning is outside the range is named so, not called broken', async () => {
  const { pairing, check } = await pairingOf(async (ledger) => void (await allowedAction(ledger, 1, 1)), { from: 5 });
  expect(pairing.map((one) => one.verdict)).toEqual(['beginning_not_in_bundle']);
  expect(check?.state).toBe('pass');
});
