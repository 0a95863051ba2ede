import { beforeAll, describe, expect, it } from 'vitest';

import { testWorkspace } from '@/lib/testing/ledger-builder';
import { changing, eventOf, followedBy, indexOf, swapped, without } from '@/lib/testing/ledger-harness/tampering';
import { evidenceOf } from '@/lib/testing/ledger-harness/told-evidence';
import { tellLedger } from '@/lib/testing/ledger-harness/tell-ledger';
import type { ToldLedger } from '@/lib/testing/ledger-harness/teller';

import { checkGrants } from './check-grants';

let told: ToldLedger;

beforeAll(async () => {
  told = await tellLedger('grants', testWorkspace);
}, 60_000);

const check = (log: ToldLedger, from = 0) => checkGrants(evidenceOf(log, from));

describe('grants', () => {
  it('hold together when each use is one that owners gave, and is counted', async () => {
    expect(await check(told)).toMatchObject({ state: 'pass', detail: 'One grant.' });
  });

  it.each<[string, (log: ToldLedger) => ToldLedger, string, string]>([
    ['issued twice', followedBy('grant issued', 'grant issued'), 'copy of grant issued', 'issued twice'],
    ['named by a permit without having been issued', without('grant issued'), 'first granted note decided', 'never issued'],
    ['named by a permit after it was revoked', swapped('first use', 'grant revoked'), 'second granted note decided', 'had been revoked'],
    ['named by a permit of another agent', changing('first granted note decided', ({ identity }) => ({ identity: { ...(identity as object), agent: 'stranger' } })), 'first granted note decided', 'another agent'],
    ['named by a permit after its end', changing('first granted note decided', () => ({ at: '2099-01-01T00:00:00.000Z' })), 'first granted note decided', 'had expired'],
    ['used after its end', changing('grant issued', ({ at }) => ({ expires_at: at })), 'grant issued', 'signed another grant'],
    ['counted twice for one execution', followedBy('first use', 'first use', () => ({ use: 2 })), 'copy of first use', 'counted twice'],
    ['used under a permit that nobody redeemed', without('first granted note redeemed'), 'first use', 'nobody redeemed'],
    ['used out of turn', changing('second use', () => ({ use: 1 })), 'second use', 'for the 1. time after 1'],
    ['counted for another operation than was decided', changing('first granted note decided', () => ({ operation: 'read' })), 'first use', 'than was decided'],
    ['revoked without having been issued', without('grant issued', 'first granted note decided', 'second granted note decided', 'first use', 'second use'), 'grant revoked', 'never issued'],
  ])('a grant that is %s is found there', async (_how, change, label, says) => {
    const changed = change(told);
    const found = await check(changed);
    expect(found).toMatchObject({ state: 'fail', firstBad: indexOf(changed, label) });
    expect(found.detail).toContain(says);
  });

  it('of which only a later part is in the bundle are not called broken for what came before', async () => {
    for (const label of ['grant issued', 'first granted note decided', 'first use', 'second granted note redeemed', 'grant revoked']) {
      expect(await check(told, indexOf(told, label) + 1), label).toMatchObject({ state: 'pass' });
    }
  });

  it('a use that the end of the bundle cuts off is not missed', async () => {
    const evidence = evidenceOf(told);
    const cut = evidence.entries.slice(0, indexOf(told, 'second use'));
    expect(await checkGrants({ ...evidence, entries: cut, closed: false })).toMatchObject({ state: 'pass' });
    expect(await checkGrants({ ...evidence, entries: cut })).toMatchObject({ state: 'fail' });
    expect(eventOf(told, 'second use').kind).toBe('grant_consumed');
  });
});
