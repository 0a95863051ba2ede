import { beforeAll, describe, expect, it } from 'vitest';

import { testWorkspace } from '@/lib/testing/ledger-builder';
import { changing, followedBy, indexOf, without } from '@/lib/testing/ledger-harness/tampering';
import { evidenceOf } from '@/lib/testing/ledger-harness/told-evidence';
import { tellLedger } from '@/lib/testing/ledger-harness/tell-ledger';
import type { ToldLedger } from '@/lib/testing/ledger-harness/teller';

import { checkGuards } from './check-guards';
import { checkSwitches } from './check-switches';

let told: ToldLedger;

beforeAll(async () => {
  told = await tellLedger('switches', testWorkspace);
}, 60_000);

const check = (log: ToldLedger, from = 0) => checkSwitches(evidenceOf(log, from));
const throwBefore = (label: string, scope: string, target?: string) => followedBy(label, 'switch thrown', () => ({ scope, target }));

describe('switches', () => {
  it('stop what they cover until an owner releases that very throw', async () => {
    expect(await check(told)).toMatchObject({ state: 'pass', detail: 'One switch was thrown.' });
  });

  it.each<[string, string, string | undefined]>([
    ['everything', 'all', undefined],
    ['the agent', 'agent', 'helper'],
    ['the tool', 'tool', 'payments'],
  ])('over %s, nothing is permitted or redeemed while one is on', async (_over, scope, target) => {
    const early = throwBefore('second session opened', scope, target)(told);
    expect(await check(early)).toMatchObject({ state: 'fail', firstBad: indexOf(early, 'payment permitted') });
    const late = throwBefore('payment permitted', scope, target)(told);
    expect(await check(late)).toMatchObject({ state: 'fail', firstBad: indexOf(late, 'payment redeemed') });
  });

  it('over another agent or tool leave the rest alone', async () => {
    for (const [scope, target] of [['agent', 'other'], ['tool', 'notes']] as const) expect((await check(throwBefore('second session opened', scope, target)(told))).state, scope).toBe('pass');
  });

  it('say over which agent or tool they are, and over everything none', async () => {
    for (const [scope, target] of [['agent', undefined], ['tool', undefined], ['all', 'helper']] as const) {
      const changed = throwBefore('second session opened', scope, target)(told);
      expect(await check(changed), scope).toMatchObject({ state: 'fail', detail: expect.stringContaining('names') });
    }
  });

  it('what was running already may report', async () => {
    expect((await check(throwBefore('payment redeemed', 'all')(told))).state).toBe('pass');
  });

  it('one that was not on is released by nobody, unless the throw is before the bundle', async () => {
    const changed = without('switch thrown')(told);
    expect(await check(changed)).toMatchObject({ state: 'fail', firstBad: indexOf(changed, 'switch released') });
    expect((await check(told, indexOf(told, 'stopped'))).state).toBe('pass');
  });
});

describe('findings of guards', () => {
  it('name what the same session recorded', () => {
    expect(checkGuards(evidenceOf(told))).toMatchObject({ state: 'pass', detail: '2 findings.' });
    const elsewhere = changing('finding in message', () => ({ session: 'ses_0000000000000000000000' }))(told);
    expect(checkGuards(evidenceOf(elsewhere))).toMatchObject({ state: 'fail', firstBad: indexOf(elsewhere, 'finding in message') });
    const asOutput = changing('finding in message', () => ({ what: 'output' }))(told);
    expect(checkGuards(evidenceOf(asOutput))).toMatchObject({ state: 'fail' });
  });

  it('about something before the bundle are grey, not red', () => {
    expect(checkGuards(evidenceOf(told, indexOf(told, 'finding in message')))).toMatchObject({ state: 'unknown' });
  });
});
