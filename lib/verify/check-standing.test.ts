import { beforeAll, describe, expect, it } from 'vitest';

import { signStanding, type StandingApproval } from '@/lib/approvals/standing';
import { testWorkspace } from '@/lib/testing/ledger-builder';
import { second } from '@/lib/testing/ledger-harness/cast';
import { changing, eventOf, followedBy, indexOf, without } from '@/lib/testing/ledger-harness/tampering';
import { evidenceOf } from '@/lib/testing/ledger-harness/told-evidence';
import { tellLedger } from '@/lib/testing/ledger-harness/tell-ledger';
import type { ToldLedger } from '@/lib/testing/ledger-harness/teller';
import type { TestKey } from '@/lib/testing/node-crypto';

import { checkStanding } from './check-standing';

let told: ToldLedger;

beforeAll(async () => {
  told = await tellLedger('standing', testWorkspace);
}, 60_000);

/** The approver signs other terms, or somebody else signs them. */
async function granted(log: ToldLedger, change: Partial<StandingApproval>, key: TestKey = log.cast.keys.abe): Promise<ToldLedger> {
  const { standing, approval, person, key: own, agent, human, tool, operation, rule, arguments_digest, policy_digest, uses, ends_at, at } = eventOf(log, 'standing granted').predicate as never as
    StandingApproval & { readonly approval: StandingApproval['request']; readonly person: StandingApproval['voter']['person']; readonly key: { readonly id: StandingApproval['voter']['key']; readonly kind: 'browser-ed25519' }; readonly at: string };
  const terms: StandingApproval = { standing, request: approval, voter: { person, key: own.id, key_kind: own.kind }, agent, human, tool, operation, rule, arguments_digest, policy_digest, uses, ends_at, ...change };
  const { request: _request, voter: _voter, ...stated } = terms;
  const envelope = await signStanding(terms, at, key.signer);
  return changing('standing granted', () => ({ ...stated, envelope }))(log);
}

describe('standing approvals', () => {
  it('stand for no more than was signed', async () => {
    expect(await checkStanding(evidenceOf(told))).toMatchObject({ state: 'pass', detail: 'One standing approval.' });
  });

  it.each<[string, Partial<StandingApproval>, string]>([
    ['lasts longer than a day', { ends_at: second(200_000) }, 'ends within 24 hours'],
    ['is for another agent than asked', { agent: 'other' }, 'wider than the request'],
    ['is for another operation', { operation: 'delete' }, 'wider than the request'],
    ['is for a rule that did not hold the action', { rule: 'other' }, 'wider than the request'],
    ['is on another policy', { policy_digest: '3'.repeat(64) as StandingApproval['policy_digest'] }, 'wider than the request'],
  ])('one that %s is refused though it was signed so', async (_how, change, says) => {
    const changed = await granted(told, change);
    expect(await checkStanding(evidenceOf(changed))).toMatchObject({ state: 'fail', firstBad: indexOf(changed, 'standing granted'), detail: expect.stringContaining(says) });
  });

  it('one that somebody else signed is refused', async () => {
    const changed = await granted(told, {}, told.cast.keys.stranger);
    expect(await checkStanding(evidenceOf(changed))).toMatchObject({ state: 'fail', detail: expect.stringContaining('does not list this key') });
  });

  it('one of high impact is refused', async () => {
    const changed = changing('copy held', () => ({ impact: 'high' }))(told);
    expect(await checkStanding(evidenceOf(changed))).toMatchObject({ state: 'fail', detail: 'A standing approval of high impact.' });
  });

  it.each<[string, (log: ToldLedger) => ToldLedger, string, string]>([
    ['given twice', followedBy('standing granted', 'standing granted'), 'copy of standing granted', 'given twice'],
    ['used without having been given', without('standing granted'), 'standing used', 'never given'],
    ['used after its end', changing('standing used', () => ({ at: second(90_000) })), 'standing used', 'after its end'],
    ['used in another person’s name', (log) => changing('standing used', () => ({ person: log.cast.people.bea }))(log), 'standing used', 'another person’s name'],
    ['used for what another agent asks', changing('second copy held', ({ identity }) => ({ identity: { ...(identity as object), agent: 'other' } })), 'standing used', 'another agent'],
    ['used for another action than was asked about', changing('standing used', ({ action }) => ({ action: { ...(action as object), digest: '4'.repeat(64) } })), 'standing used', 'another action'],
    ['used again with the same number', followedBy('standing used', 'standing used'), 'copy of standing used', 'for the 1. time after 1'],
  ])('one that is %s is found there', async (_how, change, label, says) => {
    const changed = change(told);
    const found = await checkStanding(evidenceOf(changed));
    expect(found.detail).toContain(says);
    expect(found).toMatchObject({ state: 'fail', firstBad: indexOf(changed, label) });
  });

  it('are not called broken where the bundle begins after they were given', async () => {
    for (const label of ['copy requested', 'standing granted', 'second copy held']) expect(await checkStanding(evidenceOf(told, indexOf(told, label) + 1)), label).toMatchObject({ state: 'pass' });
  });
});
