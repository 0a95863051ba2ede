import { describe, expect, it } from 'vitest';

import { testId, type LedgerBuilder } from '@/lib/testing/ledger-builder';
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
