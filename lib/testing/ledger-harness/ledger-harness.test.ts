import { beforeAll, describe, expect, it } from 'vitest';

import { bundleBytes } from '@/lib/ledger/bundle';
import { isReceiptKind, receiptSchemas } from '@/lib/ledger/receipt-predicate';
import { stockCatalogue } from '@/lib/mediate/stock';
import { findClassWith } from '@/lib/verify/find-class';
import { rederiveWith } from '@/lib/verify/rederive-decision';
import { verifyBundle } from '@/lib/verify/verify-bundle';

import { testWorkspace } from '../ledger-builder';
import { nodeSha256 as sha256, nodeVerifySignature as verifySignature } from '../node-crypto';
import { fingerprintOf } from './cast';
import { builtFrom } from './sign-told';
import type { ToldLedger } from './teller';
import { tellLedger } from './tell-ledger';

let told: ToldLedger;

beforeAll(async () => {
  told = await tellLedger('harness', testWorkspace);
}, 60_000);

describe('the told ledger', () => {
  it('holds every kind of event that a receipt can tell of', () => {
    const kinds = new Set(told.events.map(({ kind }) => kind));
    expect(Object.keys(receiptSchemas).filter((kind) => !isReceiptKind(kind) || !kinds.has(kind))).toEqual([]);
  });

  it('is verified with the root’s fingerprint, every check green and every decision reproduced', async () => {
    const ledger = await builtFrom(told);
    const report = await verifyBundle(bundleBytes(await ledger.bundle({ signer: told.cast.keys.console })), { sha256, verifySignature, root: fingerprintOf(told.cast), rederive: rederiveWith(sha256, stockCatalogue(sha256)), findClass: findClassWith(sha256, stockCatalogue(sha256)) });
    expect(report.checks.filter(({ state }) => state !== 'pass')).toEqual([]);
    expect(report.verdict).toBe('verified');
    expect(report.rederived).toMatchObject({ differs: 0, cannot: 0 });
    expect(new Set(report.pairing.map(({ verdict }) => verdict))).toEqual(new Set(['completed', 'outcome_unknown', 'denied', 'permit_unused', 'superseded', 'withdrawn', 'expired']));
  });

  it('is the same for the same seed, and another one for another', async () => {
    const heads = await Promise.all(['harness', 'harness', 'other'].map(async (seed) => (await builtFrom(await tellLedger(seed, testWorkspace))).root(told.events.length)));
    expect(heads[1]).toEqual(heads[0]);
    expect(heads[2]).not.toEqual(heads[0]);
  });
});
