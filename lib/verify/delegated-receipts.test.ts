import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { revokeServiceKey, rotateServiceKey } from '@/lib/authority/next-trust-root';
import { trustRootDigest, signTrustRoot } from '@/lib/authority/sign-documents';
import type { TrustRoot } from '@/lib/authority/trust-root';
import { toBase64 } from '@/lib/shared/encoding';
import type { KeyId } from '@/lib/shared/ids';
import { testKeys, type LedgerBuilder } from '@/lib/testing/ledger-builder';
import { beginStory, people, storyFingerprint, storyRoot } from '@/lib/testing/ledger-story';
import { nodeSha256 as sha256, nodeVerifySignature as verifySignature, testKey, type TestKey } from '@/lib/testing/node-crypto';

import { verifyBundle } from './verify-bundle';

const successor = testKey('second plane');
const planes: readonly TestKey[] = [testKeys.plane, successor, testKey('third plane'), testKey('fourth plane')];
const idOf = ({ signer }: TestKey) => signer.keyId as KeyId;
const entryOf = (key: TestKey) => ({ id: idOf(key), kind: 'file-ed25519', public_key: toBase64(key.publicKey) }) as const;
const made = { createdAt: storyRoot.created_at, sha256 } as const;

async function changeRoot(ledger: LedgerBuilder, root: TrustRoot): Promise<void> {
  ledger.trustRoots.push(await signTrustRoot(root, [testKeys.owner.signer]));
  const body = { version: root.version, digest: trustRootDigest(root, sha256), previous_digest: root.previous, signers: [idOf(testKeys.owner)] };
  await ledger.append('trust_root_changed', body, testKeys.console);
}

/** The plane's key is found stolen: a successor takes over, and what it signed after `good` counts no longer. */
async function replaceAndRevoke(ledger: LedgerBuilder, successor: TestKey, good: number): Promise<void> {
  const rotated = rotateServiceKey(storyRoot, { retired: idOf(testKeys.plane), successor: entryOf(successor), from: ledger.size, until: ledger.size - 1 }, made);
  await changeRoot(ledger, rotated);
  await changeRoot(ledger, revokeServiceKey(rotated, idOf(testKeys.plane), good, made));
}

const note = (ledger: LedgerBuilder, signer: TestKey) =>
  ledger.append('user_administered', { person: people.requester, change: 'invited', by: { kind: 'person', id: people.owner } }, signer);

async function verdictOf(ledger: LedgerBuilder, from = 0) {
  const report = await verifyBundle(await ledger.bytes({ from }), { sha256, verifySignature, root: storyFingerprint });
  const check = (id: string) => report.checks.find((one) => one.id === id);
  return { receipts: check('receipts'), checkpoints: check('checkpoints'), verdict: report.verdict };
}

type Step =
  | { readonly kind: 'receipt'; readonly by: number | null }
  | { readonly kind: 'rotate'; readonly retired: number; readonly to: number; readonly ahead: number; readonly overlap: number }
  | { readonly kind: 'revoke'; readonly key: number; readonly lastGood: number };

const key = fc.nat(planes.length - 1);
const steps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.oneof(
    { weight: 5, arbitrary: fc.record({ kind: fc.constant('receipt' as const), by: fc.oneof({ weight: 9, arbitrary: fc.constant(null) }, key) }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('rotate' as const), retired: key, to: key, ahead: fc.nat(3), overlap: fc.nat(3) }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('revoke' as const), key, lastGood: fc.integer({ min: 2, max: 20 }) }) },
  ),
  { minLength: 2, maxLength: 14 },
);

/** A log in which keys rotate, are revoked and sign where they should not, and who signed what. `null` signs with a key that may. */
async function ledgerOf(told: readonly Step[]) {
  const ledger = await beginStory();
  const roots = [{ at: 0, root: storyRoot }];
  const signedBy = new Map<number, TestKey>();
  for (const step of told) {
    const { root } = roots.at(-1) ?? { root: storyRoot };
    const lists = (one: TestKey | undefined) => root.services.some((service) => service.key.id === one?.signer.keyId);
    if (step.kind === 'receipt') {
      const able = planes.find((one) => mayCount(roots, one, ledger.size));
      const signer = (step.by === null ? able : planes[step.by]) ?? testKeys.plane;
      signedBy.set(ledger.size, signer);
      await note(ledger, signer);
      continue;
    }
    const [subject, heir] = step.kind === 'rotate' ? [planes[step.retired], planes[step.to]] : [planes[step.key], undefined];
    if (!subject || !lists(subject)) continue;
    const from = ledger.size + (step.kind === 'rotate' ? step.ahead : 0);
    if (step.kind === 'rotate' && (!heir || lists(heir) || !mayCount(roots, subject, from - 1))) continue;
    const next =
      step.kind === 'rotate' && heir
        ? rotateServiceKey(root, { retired: idOf(subject), successor: entryOf(heir), from, until: from + step.overlap - 1 }, made)
        : revokeServiceKey(root, idOf(subject), step.kind === 'revoke' ? step.lastGood : null, made);
    roots.push({ at: ledger.size, root: next });
    await changeRoot(ledger, next);
  }
  return { ledger, roots, signedBy };
}

/** As the documents say it: the root in force at the position lists the key with it, and so does every later one that lists the key. */
const mayCount = (roots: readonly { readonly at: number; readonly root: TrustRoot }[], signer: TestKey, index: number): boolean => {
  const holds = ({ root }: { readonly root: TrustRoot }) =>
    root.services.filter(({ key: listed }) => listed.id === signer.signer.keyId).map(({ from, to }) => from <= index && index <= (to ?? Infinity))[0];
  const inForce = roots.filter(({ at }) => at <= index).at(-1);
  return inForce !== undefined && holds(inForce) === true && roots.filter(({ at }) => at > index).every((later) => holds(later) !== false);
};

describe('receipts and checkpoints by delegated keys', () => {
  it('verification accepts exactly the receipts that the roots let count, and names the first that they do not', async () => {
    const seen = { refused: 0, accepted: 0 };
    await fc.assert(
      fc.asyncProperty(steps, async (told) => {
        const { ledger, roots, signedBy } = await ledgerOf(told);
        const bad = [...signedBy].filter(([index, signer]) => !mayCount(roots, signer, index)).map(([index]) => index);
        await ledger.checkpoint();
        const { receipts } = await verdictOf(ledger);
        // The story's own beginning is by the first plane and console keys: a revocation can reach back into it.
        const begun = [3].filter((index) => !mayCount(roots, testKeys.plane, index));
        const first = [...begun, ...bad].sort((a, b) => a - b)[0];
        expect([receipts?.state, receipts?.firstBad]).toEqual(first === undefined ? ['pass', undefined] : ['fail', first]);
        seen[first === undefined ? 'accepted' : 'refused']++;
      }),
      { numRuns: 80 },
    );
    expect(Math.min(seen.refused, seen.accepted)).toBeGreaterThan(3);
  }, 30_000);

  it('verification accepts exactly the checkpoints by keys that the roots let count at their last position', async () => {
    await fc.assert(
      fc.asyncProperty(steps, key, async (told, by) => {
        const { ledger, roots } = await ledgerOf(told);
        const signer = planes[by] ?? testKeys.plane;
        await ledger.checkpoint(signer);
        const { checkpoints } = await verdictOf(ledger);
        expect(checkpoints?.state).toBe(mayCount(roots, signer, ledger.size - 1) ? 'pass' : 'fail');
      }),
      { numRuns: 40 },
    );
  }, 30_000);

  it('an emergency revocation lets what came before its position stand, in the log and in a bundle that ends there', async () => {
    const ledger = await beginStory();
    await note(ledger, testKeys.plane);
    await ledger.checkpoint();
    const good = ledger.size - 1;
    const before = await ledger.bytes();
    await note(ledger, testKeys.plane);
    await replaceAndRevoke(ledger, successor, good);
    await note(ledger, successor);
    await ledger.checkpoint(successor);
    const whole = await verdictOf(ledger);
    expect(whole.receipts).toMatchObject({ state: 'fail', firstBad: good + 1, detail: expect.stringContaining('withdrawn') as string });
    expect(whole.checkpoints?.state).toBe('pass');
    expect((await verdictOf(ledger, good + 2)).verdict).toBe('verified');
    expect((await verifyBundle(before, { sha256, verifySignature, root: storyFingerprint })).verdict).toBe('verified');
  });

  it('a checkpoint by a key that a later root withdrew for its position is refused', async () => {
    const ledger = await beginStory();
    await note(ledger, testKeys.plane);
    await ledger.checkpoint();
    await replaceAndRevoke(ledger, successor, 2);
    await ledger.checkpoint(successor);
    expect((await verdictOf(ledger)).checkpoints).toMatchObject({ state: 'fail', firstBad: 5 });
  });
});
