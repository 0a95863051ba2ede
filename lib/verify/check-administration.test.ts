import { beforeAll, describe, expect, it } from 'vitest';

import { testWorkspace } from '@/lib/testing/ledger-builder';
import { second } from '@/lib/testing/ledger-harness/cast';
import { changing, followedBy, indexOf, swapped } from '@/lib/testing/ledger-harness/tampering';
import { evidenceOf } from '@/lib/testing/ledger-harness/told-evidence';
import { tellLedger } from '@/lib/testing/ledger-harness/tell-ledger';
import type { ToldLedger } from '@/lib/testing/ledger-harness/teller';

import { checkAdministration } from './check-administration';
import { checkTimes, mostSecondsBack } from './check-times';

let told: ToldLedger;

beforeAll(async () => {
  told = await tellLedger('administration', testWorkspace);
}, 60_000);

describe('receipts about keys, credentials, exports and restores', () => {
  it('repeat what signed documents and positions say', async () => {
    expect(await checkAdministration(evidenceOf(told))).toMatchObject({ state: 'pass' });
    expect(await checkAdministration(evidenceOf(told, indexOf(told, 'second roster') + 1))).toMatchObject({ state: 'pass' });
  });

  it.each<[string, (log: ToldLedger) => ToldLedger, string, string]>([
    ['a key enrolled by a roster that is not in force yet', swapped('owner’s key', 'first roster'), 'owner’s key', 'does not list the key'],
    ['a key enrolled as another kind than listed', changing('owner’s key', ({ key }) => ({ key: { ...(key as object), kind: 'browser-ed25519' } })), 'owner’s key', 'does not list the key'],
    ['a key removed that was never listed', (log) => changing('abe’s key removed', () => ({ key: log.cast.keys.stranger.signer.keyId }))(log), 'abe’s key removed', 'no roster had listed'],
    ['a person changed by a roster that never was', changing('bea may more', () => ({ roster_version: 9 })), 'bea may more', 'was not in force'],
    ['a credential of another kind than listed', changing('orchestrator’s credential', () => ({ kind: 'enforcement_point' })), 'orchestrator’s credential', 'as this kind'],
    ['a credential revoked that is still listed', changing('records revoked', () => ({ roster_version: 1 })), 'records revoked', 'still lists the credential'],
    ['an export that ends before it begins', changing('exported', () => ({ from: 30, to: 20 })), 'exported', 'not there yet'],
    ['a restore at another position', followedBy('exported', 'exported'), 'restore accepted', 'this is position'],
  ])('%s is found there', async (_what, change, label, says) => {
    const changed = change(told);
    const found = await checkAdministration(evidenceOf(changed));
    expect(found.detail).toContain(says);
    expect(found).toMatchObject({ state: 'fail', firstBad: indexOf(changed, label) });
  });
});

describe('times', () => {
  const back = (seconds: number) => changing('message', () => ({ at: second(indexOf(told, 'session opened') - seconds) }))(told);

  it('may be apart by as long as a receipt may wait for its place, and no longer', () => {
    expect(checkTimes(evidenceOf(told).entries)).toMatchObject({ state: 'pass' });
    expect(checkTimes(evidenceOf(back(mostSecondsBack)).entries)).toMatchObject({ state: 'pass' });
    expect(checkTimes(evidenceOf(back(mostSecondsBack + 1)).entries)).toMatchObject({ state: 'fail', firstBad: indexOf(told, 'message') });
  });

  it('many small steps back add up to nothing that passes', () => {
    const steps = told.events.map((event, at) => ({ ...event, predicate: { ...event.predicate, at: second(1000 - at * 60) } }));
    expect(checkTimes(evidenceOf({ ...told, events: steps }).entries)).toMatchObject({ state: 'fail', firstBad: 3 });
  });
});
