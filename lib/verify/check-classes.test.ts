import { beforeAll, describe, expect, it } from 'vitest';

import { stockCatalogue } from '@/lib/mediate/stock';
import { testWorkspace } from '@/lib/testing/ledger-builder';
import { all, changing, indexOf } from '@/lib/testing/ledger-harness/tampering';
import { evidenceOf } from '@/lib/testing/ledger-harness/told-evidence';
import { tellLedger } from '@/lib/testing/ledger-harness/tell-ledger';
import type { ToldLedger } from '@/lib/testing/ledger-harness/teller';
import { nodeSha256 } from '@/lib/testing/node-crypto';

import { checkClasses } from './check-classes';
import type { EventEvidence } from './event-evidence';
import { findClassWith, type FindClass } from './find-class';
import type { Check } from './report';

const find = findClassWith(nodeSha256, stockCatalogue(nodeSha256));
let told: ToldLedger;

beforeAll(async () => {
  told = await tellLedger('classes', testWorkspace);
}, 60_000);

const check = (log: ToldLedger, more: { readonly by?: FindClass | undefined; readonly needed?: number; readonly from?: number } = {}): Check => {
  const evidence: EventEvidence = evidenceOf(log, more.from ?? 0);
  const roots = evidence.roots.map((placed) => ({ ...placed, root: { ...placed.root, thresholds: { ...placed.root.thresholds, loosening: more.needed ?? 1 } } }));
  const policies = evidence.policies.map((policy) => ({ ...policy, signers: [log.cast.people.owner] }));
  return checkClasses(evidence.entries, policies, roots, 'by' in more ? more.by : find);
};

const provedAs = (change: string, method: string = find.method) => all(changing('fewer rows proved', () => ({ change, method })), changing('second policy', () => ({ change })));
const rollBackAs = (change: string) => changing('third policy', () => ({ change }));

describe('the class of a change of policy', () => {
  it('is found again from both texts, where one was stated', () => {
    expect(check(told)).toMatchObject({ state: 'pass', detail: '1 found again.' });
    expect(check(all(provedAs('not_proved'), rollBackAs('not_proved'))(told))).toMatchObject({ state: 'pass', detail: 'No change was stated to have a class.' });
  });

  it.each([
    ['a tightening is called a loosening', provedAs('loosen'), 'second policy', 'from both texts it is a tightening'],
    ['a loosening without a proof is called a tightening', rollBackAs('tighten'), 'third policy', 'from both texts it is a loosening'],
  ])('is false where %s', (_how, change, label, says) => {
    const log = change(told);
    expect(check(log)).toMatchObject({ state: 'fail', firstBad: indexOf(log, label), detail: expect.stringContaining(says) });
  });

  it('asks for its own signatures, whatever the receipt calls it, and whatever proved it', () => {
    expect(check(rollBackAs('tighten')(told), { needed: 2 })).toMatchObject({ state: 'fail', detail: '1 of 2 needed owners signed a change that is a loosening, and not a tightening.' });
    expect(check(told, { needed: 2 }).state).toBe('pass');
    const other: FindClass = { method: find.method, of: () => 'loosen' };
    expect(check(provedAs('tighten', 'classes/1')(told), { by: other, needed: 2 })).toMatchObject({ state: 'fail', firstBad: indexOf(told, 'second policy') });
  });

  it.each<[string, (log: ToldLedger) => Check, string]>([
    ['there is no engine', (log) => check(log, { by: undefined }), 'No engine'],
    ['a text does not compile with this version', (log) => check(log, { by: { method: find.method, of: () => null } }), 'does not compile'],
    ['another method had found another class', (log) => check(provedAs('loosen', 'classes/1')(log)), 'proved by classes/1, and this is'],
    ['another method proved what this one does not', (log) => check(provedAs('tighten', 'classes/1')(log), { by: { method: find.method, of: () => 'not_proved' }, needed: 2 }), 'proved by classes/1'],
    ['its proof is not in the bundle, and this method finds another', (log) => check(provedAs('loosen')(log), { from: indexOf(log, 'fewer rows signed') }), 'a method that is not in the bundle'],
  ])('cannot be re-derived, and is counted so, where %s', (_how, found, says) => {
    expect(found(told)).toMatchObject({ state: 'unknown', detail: expect.stringMatching(/^0 found again; 1 cannot be re-derived: /) });
    expect(found(told).detail).toContain(says);
  });

  it('cannot be re-derived where the text before is not in the bundle', () => {
    const { entries, policies, roots } = evidenceOf(told);
    expect(checkClasses(entries, policies.slice(1), roots, find)).toMatchObject({ state: 'unknown', detail: expect.stringContaining('The policy before it') });
  });
});
