import { describe, expect, it } from 'vitest';

import { signExtension } from '@/lib/approvals/extension';
import type { ReceiptPredicate } from '@/lib/ledger/receipt-predicate';
import type { ActionId, ReceiptId } from '@/lib/shared/ids';
import { digestOfDigit } from '@/lib/testing/held-actions';
import { testId, testKeys, testTime, type LedgerBuilder } from '@/lib/testing/ledger-builder';
import { approvedAction, beginStory, contextAt, decided, people, session } from '@/lib/testing/ledger-story';
import { nodeSha256 as sha256, nodeVerifySignature as verifySignature } from '@/lib/testing/node-crypto';

import { verifyBundle } from './verify-bundle';

type Resolved = ReceiptPredicate<'deferral_resolved'>;
type Attempted = ReceiptPredicate<'deferral_attempted'>;

const plane = { kind: 'service', id: 'plane' } as const;
const deferral = testId('deferral', 1);
const far = testTime(86_000);

/** One action that is deferred, told step by step. */
class Story {
  private readonly action;
  constructor(private readonly ledger: LedgerBuilder) {
    this.action = decided(ledger, 1, 1).action;
  }

  async defers(expires_at = far, waits_for?: readonly ActionId[]): Promise<void> {
    const { permit: _permit, ...body } = decided(this.ledger, 1, 1, { decision: 'DEFER', state: 'deferred', code: 'needs_context', deferral: { id: deferral, missing: [], expires_at } });
    await this.ledger.append('action_decided', body);
    await this.opens(expires_at, waits_for);
  }
  opens(expires_at = far, waits_for?: readonly ActionId[]): Promise<ReceiptId> {
    return this.ledger.append('deferral_opened', { deferral, session, action: this.action, missing: [], conflict: [], expires_at, ...(waits_for ? { waits_for } : {}) });
  }
  allows(cause: 'supplied' | 'proposed' = 'supplied'): Promise<ReceiptId> {
    return this.ledger.append('action_decided', decided(this.ledger, 1, 1, { cause }));
  }
  ends(outcome: Resolved['outcome'], by?: ReceiptId): Promise<ReceiptId> {
    return this.ledger.append('deferral_resolved', { deferral, action: this.action, outcome, by: plane, ...(by ? { decided: by } : {}) });
  }
  asks(attempt: number, outcome: Attempted['outcome'], source = 'ip:records'): Promise<ReceiptId> {
    return this.ledger.append('deferral_attempted', { deferral, action: this.action, subject: 'mail:x', attribute: 'owner', source, attempt, outcome });
  }
  redeems(): Promise<ReceiptId> {
    return this.ledger.append('permit_redeemed', { session, permit: testId('permit', 1), action: this.action, by: plane, ...contextAt(2) });
  }
}

async function pairingOf(tell: (story: Story, ledger: LedgerBuilder) => Promise<unknown>) {
  const ledger = await beginStory();
  await tell(new Story(ledger), ledger);
  await ledger.checkpoint();
  const report = await verifyBundle(await ledger.bytes(), { sha256, verifySignature });
  return { pairing: report.pairing.find(({ action }) => action === testId('action', 1)), check: report.checks.find(({ id }) => id === 'pairing') };
}

describe('a deferral that holds together stands where it stands', () => {
  it.each<[string, string, (story: Story) => Promise<unknown>]>([
    ['deferred', 'while it is open', async (story) => {
      await story.defers();
      await story.asks(1, 'failed');
      await story.asks(1, 'supplied', 'ip:registry');
      await story.asks(2, 'failed');
      await story.asks(3, 'failed');
    }],
    ['permit_unused', 'once it was decided', async (story) => {
      await story.defers();
      await story.ends('decided', await story.allows());
    }],
    ['expired', 'at its end', async (story) => {
      await story.defers();
      await story.ends('expired');
    }],
    ['withdrawn', 'when it was taken back', async (story) => {
      await story.defers();
      await story.ends('withdrawn');
    }],
  ])('%s %s', async (verdict, _when, tell) => {
    const { pairing, check } = await pairingOf(tell);
    expect(pairing?.verdict).toBe(verdict);
    expect(check?.state).toBe('pass');
  });

  it('completed, when its time was over, people were asked, and these approved', async () => {
    const { pairing, check } = await pairingOf(async (story, ledger) => {
      await story.defers(testTime(6));
      await approvedAction(ledger, 1, 1, { decision: { decision: 'DEFER', code: 'needs_context', cause: 'timed_out' }, between: (receipt) => story.ends('expired', receipt) });
    });
    expect([pairing?.verdict, check?.state]).toEqual(['completed', 'pass']);
  });
});

describe('a deferral that does not is refused, with its name', () => {
  it.each<[string, string, (story: Story) => Promise<unknown>]>([
    ['deferral_without_opening', 'ended', async (story) => {
      await story.allows('proposed');
      await story.ends('expired');
    }],
    ['deferral_without_opening', 'asked for', async (story) => {
      await story.allows('proposed');
      await story.asks(1, 'failed');
    }],
    ['deferral_resolved_twice', '', async (story) => {
      await story.defers();
      await story.ends('expired');
      await story.ends('withdrawn');
    }],
    ['deferral_without_decision', 'that is named', async (story) => {
      await story.defers();
      await story.ends('decided', testId('receipt', 999));
    }],
    ['deferral_without_decision', 'at all', async (story) => {
      await story.defers();
      await story.ends('decided');
    }],
    ['deferral_outlived', '', async (story) => {
      await story.defers(testTime(6));
      await story.ends('decided', await story.allows());
    }],
    ['permitted_after_deferral_ended', 'by time', async (story) => {
      await story.defers();
      await story.ends('expired');
      await story.allows();
    }],
    ['permitted_after_deferral_ended', 'by taking it back', async (story) => {
      await story.defers();
      await story.ends('withdrawn');
      await story.allows();
    }],
    ['redeemed_while_deferred', '', async (story) => {
      await story.defers();
      await story.allows();
      await story.redeems();
    }],
    ['asked_again', 'after it was supplied', async (story) => {
      await story.defers();
      await story.asks(1, 'supplied');
      await story.asks(2, 'failed');
    }],
    ['asked_again', 'after it was settled as unavailable', async (story) => {
      await story.defers();
      await story.asks(1, 'unavailable');
      await story.asks(2, 'supplied');
    }],
    ['attempts_out_of_line', 'from the second on', async (story) => {
      await story.defers();
      await story.asks(2, 'failed');
    }],
    ['attempts_out_of_line', 'twice the same', async (story) => {
      await story.defers();
      await story.asks(1, 'failed');
      await story.asks(1, 'failed');
    }],
  ])('%s %s', async (verdict, _how, tell) => {
    const { pairing, check } = await pairingOf(tell);
    expect(pairing).toMatchObject({ verdict, broken: true });
    expect(check).toMatchObject({ state: 'fail', firstBad: pairing?.index });
  });
});

it.each<[string, string, number]>([
  ['the one it waits for', 'permit_unused', 7],
  ['another one', 'deferral_outlived', 8],
])('a deferral may be decided as much later as %s was given', async (_what, verdict, ahead) => {
  const { pairing } = await pairingOf(async (story, ledger) => {
    await story.defers(testTime(7), [testId('action', 7)]);
    const envelope = await signExtension({ request: testId('approval', 7), basis_digest: digestOfDigit('a'), person: people.approver, expires_at: far }, testTime(6), testKeys.approver.signer);
    await ledger.append('approval_extended', { approval: testId('approval', 7), action: { id: testId('action', ahead), digest: digestOfDigit('a') }, person: people.approver, expires_at: far, envelope }, testKeys.console);
    await story.ends('decided', await story.allows());
  });
  expect(pairing?.verdict).toBe(verdict);
});
