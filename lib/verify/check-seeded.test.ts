import { beforeAll, describe, expect, it } from 'vitest';

import { testWorkspace } from '@/lib/testing/ledger-builder';
import { changing, followedBy, indexOf, without } from '@/lib/testing/ledger-harness/tampering';
import { evidenceOf } from '@/lib/testing/ledger-harness/told-evidence';
import { tellLedger } from '@/lib/testing/ledger-harness/tell-ledger';
import type { ToldLedger } from '@/lib/testing/ledger-harness/teller';

import { checkSeeded } from './check-seeded';

let told: ToldLedger;

beforeAll(async () => {
  told = await tellLedger('seeded', testWorkspace);
}, 60_000);

describe('seeded requests', () => {
  it('are committed to before they are shown, and opened to the same after they were decided', async () => {
    expect(await checkSeeded(evidenceOf(told))).toMatchObject({ state: 'pass', detail: '2 commitments, 2 opened.' });
  });

  it.each<[string, (log: ToldLedger) => ToldLedger, string, string]>([
    ['committed to twice', followedBy('commitment', 'commitment'), 'copy of commitment', 'committed to twice'],
    ['opened without a commitment', without('commitment'), 'commitment opened', 'Another commitment was opened'],
    ['opened with another salt', changing('seeded opened', () => ({ salt: `${'A'.repeat(22)}==` })), 'seeded opened', 'not what was committed to'],
    ['a look-alike that is called real', changing('seeded opened', () => ({ seeded: false })), 'seeded opened', 'not what was committed to'],
    ['opened before it was decided', without('seeded denied'), 'seeded opened', 'before the request was decided'],
    ['opened twice', followedBy('seeded opened', 'seeded opened'), 'copy of seeded opened', 'opened twice'],
    ['permitted after it was opened as a look-alike', (log) => changing('narrow permitted', () => ({ approval: log.events[indexOf(log, 'seeded opened')]?.predicate['approval'] }))(log), 'narrow permitted', 'was permitted'],
  ])('one that is %s is found there', async (_how, change, label, says) => {
    const changed = change(told);
    const found = await checkSeeded(evidenceOf(changed));
    expect(found.detail).toContain(says);
    expect(found).toMatchObject({ state: 'fail', firstBad: indexOf(changed, label) });
  });

  it('are not called broken where the bundle begins after the commitment, though the opening still has to fit it', async () => {
    const from = indexOf(told, 'seeded requested');
    expect(await checkSeeded(evidenceOf(told, from))).toMatchObject({ state: 'pass' });
    expect(await checkSeeded(evidenceOf(changing('seeded opened', () => ({ seeded: false }))(told), from))).toMatchObject({ state: 'fail' });
  });
});
