import { beforeAll, describe, expect, it } from 'vitest';

import { signStatement, type ProposalStep } from '@/lib/authority/owner-statements';
import type { TrustRoot } from '@/lib/authority/trust-root';
import { testWorkspace } from '@/lib/testing/ledger-builder';
import { all, changing, eventOf, followedBy, indexOf, without } from '@/lib/testing/ledger-harness/tampering';
import { evidenceOf } from '@/lib/testing/ledger-harness/told-evidence';
import { tellLedger } from '@/lib/testing/ledger-harness/tell-ledger';
import type { ToldLedger } from '@/lib/testing/ledger-harness/teller';

import { checkProposals } from './check-proposals';

let told: ToldLedger;

beforeAll(async () => {
  told = await tellLedger('proposals', testWorkspace);
}, 60_000);

/** The owner signs the policy as a loosening, in a chain of steps that begins with another one. */
async function asLoosening(log: ToldLedger, before: Partial<ProposalStep> = {}): Promise<ToldLedger> {
  const { proposal, base_digest, digest, proof_digest, at } = eventOf(log, 'fewer rows signed').predicate as never as ProposalStep & { readonly at: string };
  const step: ProposalStep = { proposal, base_digest, digest, class: 'loosen', proof_digest };
  const other: ProposalStep = { ...step, proposal: eventOf(log, 'grant proposed').predicate['proposal'] as typeof proposal, digest: base_digest ?? digest, ...before };
  const envelope = await signStatement('proposal_signature', log.cast.workspace, { steps: [other, step] }, at, [log.cast.keys.owner.signer]);
  const loosen = () => ({ change: 'loosen' });
  return all(changing('fewer rows proved', loosen), changing('fewer rows signed', () => ({ change: 'loosen', envelope })), changing('second policy', loosen))(log);
}

const withRoot = (log: ToldLedger, change: Partial<TrustRoot>) => {
  const evidence = evidenceOf(log);
  return checkProposals({ ...evidence, roots: evidence.roots.map((placed) => ({ ...placed, root: { ...placed.root, ...change } })) });
};

describe('proposals', () => {
  it('hold together from being made to being applied, turned down, or rolled back', async () => {
    expect(await checkProposals(evidenceOf(told))).toMatchObject({ state: 'pass', detail: '4 proposals.' });
  });

  it.each([
    ['is made', 'fewer rows proposed', '0 proposals.'],
    ['is proved', 'fewer rows proved', '2 proposals.'],
    ['is signed', 'fewer rows signed', '2 proposals.'],
  ])('a part that ends before one %s misses nothing where the policy that came of it is an anchor', async (_how, end, detail) => {
    expect(await checkProposals(evidenceOf(told, 0, indexOf(told, end)))).toMatchObject({ state: 'pass', detail });
  });

  it.each<[string, (log: ToldLedger) => ToldLedger, string, string]>([
    ['made twice', followedBy('fewer rows proposed', 'fewer rows proposed'), 'copy of fewer rows proposed', 'made twice'],
    ['on a policy that was never in force', changing('wider proposed', () => ({ base: { revision: 7, digest: '1'.repeat(64) } })), 'wider proposed', 'never in force'],
    ['said to have no hand of its proposer in it', changing('fewer rows proposed', () => ({ not_counted: [] })), 'fewer rows proposed', 'leaves out somebody'],
    ['the console’s own, and no rebase of anything', changing('wider proposed', () => ({ by: { kind: 'service', id: 'console' }, not_counted: [] })), 'wider proposed', 'something of its own'],
    ['signed before it was proved', without('fewer rows proved'), 'fewer rows signed', 'a proof that is not there'],
    ['signed twice by one owner', followedBy('fewer rows signed', 'fewer rows signed'), 'copy of fewer rows signed', 'signed the proposal twice'],
    ['signed with a key that is not that owner’s', (log) => changing('fewer rows signed', () => ({ person: log.cast.people.abe }))(log), 'fewer rows signed', 'not that owner’s'],
    ['said to be self-signed', changing('fewer rows signed', () => ({ self_signed: true })), 'fewer rows signed', 'wrong about whether the proposer signed'],
    ['turned down after it was applied', followedBy('second policy', 'wider rejected', () => ({})), 'wider rejected', 'after it had been stale'],
    ['applied as another class of change', changing('second policy', () => ({ change: 'loosen' })), 'second policy', 'another class of change'],
    ['applied with another text', changing('second policy', () => ({ digest: '1'.repeat(64) })), 'second policy', 'Another text than was proposed'],
    ['applied without being named', (log) => ({ ...log, events: log.events.map((event) => (event.label === 'second policy' ? { ...event, predicate: { ...event.predicate, proposal: undefined } } : event)) }), 'second policy', 'does not name'],
  ])('one that is %s is found there', async (_how, change, label, says) => {
    const changed = change(told);
    const found = await checkProposals(evidenceOf(changed));
    expect(found.detail).toContain(says);
    expect(found).toMatchObject({ state: 'fail', firstBad: indexOf(changed, label) });
  });

  it.each<[string, (log: ToldLedger) => ToldLedger, string]>([
    ['another permission than owners signed', changing('permission applied', () => ({ permission: 'drop-tables' })), 'another change of an allowlist'],
    ['another directory', changing('permission applied', () => ({ directory: 'other' })), 'another change of an allowlist'],
    ['a file that was not proposed', changing('permission applied', () => ({ digest: '1'.repeat(64) })), 'Another text than was proposed'],
    ['another base', changing('permission applied', () => ({ base_digest: '1'.repeat(64) })), 'another allowlist than it was written on'],
    ['a revision that skips one', changing('permission applied', () => ({ revision: 3 })), 'another allowlist than it was written on'],
    ['a proof that was not made', changing('permission applied', () => ({ proof_digest: '1'.repeat(64) })), 'a proof that is not there'],
    ['a class that was not proved', changing('permission applied', () => ({ change: 'tighten' })), 'a proof that is not there'],
    ['no owner’s signature', without('permission signed'), 'nobody had signed'],
  ])('an allowlist that is applied with %s is found there', async (_how, change, says) => {
    const changed = change(told);
    expect(await checkProposals(evidenceOf(changed))).toMatchObject({ state: 'fail', firstBad: indexOf(changed, 'permission applied'), detail: expect.stringContaining(says) });
  });

  it('an allowlist is applied once', async () => {
    const changed = followedBy('permission applied', 'permission applied')(told);
    expect((await checkProposals(evidenceOf(changed))).detail).toContain('after it had been applied');
  });

  it('one owner where two are needed are too few, and a proposer never counts among two', async () => {
    const loosened = await asLoosening(told);
    const two = { thresholds: { policy: 1, loosening: 2, root: 1, recovery: 1 as const }, cool_off_seconds: 0 };
    expect((await withRoot(loosened, two)).detail).toContain('1 of 2 needed owners');
    expect((await withRoot(loosened, { cool_off_seconds: 0 })).state).toBe('pass');
  });

  it('a loosening waits for its cool-off, a tightening does not', async () => {
    const loosened = await asLoosening(told);
    expect(await withRoot(loosened, { cool_off_seconds: 3600 })).toMatchObject({ state: 'fail', firstBad: indexOf(loosened, 'second policy'), detail: expect.stringContaining('cool-off') });
    expect((await withRoot(without('permission applied')(told), { cool_off_seconds: 3600 })).state).toBe('pass');
    expect(await withRoot(told, { cool_off_seconds: 3600 })).toMatchObject({ state: 'fail', firstBad: indexOf(told, 'permission applied'), detail: expect.stringContaining('cool-off') });
  });

  it('a signature over a chain covers each step of it, and no chain whose steps do not build on each other', async () => {
    const broken = await asLoosening(told, { digest: '2'.repeat(64) as ProposalStep['digest'] });
    expect((await withRoot(broken, { cool_off_seconds: 0 })).detail).toContain('another proposal than the receipt states');
  });

  it('of which only a later part is in the bundle are not called broken for what came before', async () => {
    for (const label of ['fewer rows proposed', 'fewer rows proved', 'fewer rows signed', 'second policy', 'third policy']) {
      expect(await checkProposals(evidenceOf(told, indexOf(told, label) + 1)), label).toMatchObject({ state: 'pass' });
    }
  });
});
