import { describe, expect, it } from 'vitest';

import type { ActionReceipt } from '@/lib/ports/console-reads';
import type { ActionId } from '@/lib/shared/ids';
import { nodeSha256 } from '@/lib/testing/node-crypto';

import { pairings } from './pairings';

const action = 'act_one' as ActionId;
const receipt = (kind: ActionReceipt['kind'], decision: string | null = null): ActionReceipt => ({ action, kind, decision, envelope: null });
const paired = (...receipts: readonly ActionReceipt[]) => pairings(receipts, nodeSha256).get(action);

describe('pairings', () => {
  it('an allowed action waits for its outcome until one is in the log', () => {
    expect(paired(receipt('action_decided', 'ALLOW'))).toEqual({ approval: 'not_needed', outcome: 'waiting' });
    expect(paired(receipt('action_decided', 'ALLOW'), receipt('outcome_reported'))).toEqual({ approval: 'not_needed', outcome: 'recorded' });
  });

  it('a denied action did not run', () => {
    expect(paired(receipt('action_decided', 'DENY'))).toEqual({ approval: 'not_needed', outcome: 'not_run' });
  });

  it('the newest decision counts', () => {
    expect(paired(receipt('action_decided', 'DEFER'), receipt('action_decided', 'DENY'))?.outcome).toBe('not_run');
  });

  it('a held action waits, and a request whose end cannot be read is never shown as signed', () => {
    expect(paired(receipt('action_decided', 'STEP_UP'), receipt('approval_requested'))).toEqual({ approval: 'waiting', outcome: 'waiting' });
    expect(paired(receipt('approval_requested'), { ...receipt('approval_resolved'), envelope: '{}' })?.approval).toBe('lapsed');
  });

  it('a withdrawn action did not run', () => {
    expect(paired(receipt('action_decided', 'STEP_UP'), receipt('approval_requested'), receipt('action_withdrawn'))?.outcome).toBe('not_run');
  });

  it('each action has its own', () => {
    const other = 'act_two' as ActionId;
    const found = pairings([receipt('action_decided', 'DENY'), { ...receipt('action_decided', 'ALLOW'), action: other }], nodeSha256);
    expect(found.get(other)?.outcome).toBe('waiting');
  });
});
