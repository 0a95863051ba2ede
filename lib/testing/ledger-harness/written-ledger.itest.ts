import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { Stores } from '@/lib/db/create-stores';
import { fsck } from '@/lib/db/fsck';
import { stockCatalogue } from '@/lib/mediate/stock';
import { exportBundle, type ExportWanted } from '@/lib/services/export-bundle';
import type { SessionId } from '@/lib/shared/ids';
import { findClassWith } from '@/lib/verify/find-class';
import { rederiveWith } from '@/lib/verify/rederive-decision';
import { verifyBundle } from '@/lib/verify/verify-bundle';

import { testWorkspace } from '../ledger-builder';
import { nodeSha256 as sha256, nodeVerifySignature as verifySignature } from '../node-crypto';
import { openTestStores, type TestStores } from '../test-stores';
import { fingerprintOf, second } from './cast';
import { builtFrom } from './sign-told';
import type { ToldLedger } from './teller';
import { tellLedger } from './tell-ledger';
import { writeTold } from './write-told';

let opened: TestStores;
let told: ToldLedger;
let stores: Stores;

beforeAll(async () => {
  opened = await openTestStores();
  told = await tellLedger('harness', testWorkspace);
  stores = await writeTold(opened.pool, told);
}, 60_000);

afterAll(() => opened.close());

async function reportOn(wanted: Partial<ExportWanted>) {
  const parts = { workspace: told.cast.workspace, ...stores, sha256, signer: told.cast.keys.console.signer, productVersion: 'test' };
  const exported = await exportBundle(parts, { withhold: false, now: second(100_000), ...wanted });
  if (!exported.ok) throw new Error(exported.error.detail);
  return verifyBundle(exported.value.bytes, { sha256, verifySignature, root: fingerprintOf(told.cast), rederive: rederiveWith(sha256, stockCatalogue(sha256)), findClass: findClassWith(sha256, stockCatalogue(sha256)) });
}

describe('a log with every kind of event in a real database', () => {
  it('passes fsck, with the root that it has in memory', async () => {
    const report = await fsck(opened.pool, told.cast.workspace);
    expect(report, report.ok ? '' : report.fault.detail).toMatchObject({ ok: true, size: BigInt(told.events.length) });
    expect(report.ok && report.root).toEqual((await builtFrom(told)).root(told.events.length));
  });

  it('is exported whole and verified, every check green', async () => {
    const report = await reportOn({});
    expect(report.checks.filter(({ state }) => state !== 'pass')).toEqual([]);
    expect(report.verdict).toBe('verified');
  }, 120_000);

  it('is verified in every part of it, and with its content withheld', async () => {
    const { length } = told.events;
    for (const wanted of [{ from: 30 }, { from: 12, to: 60 }, { from: length - 20, to: length - 3 }, { to: 40 }, { withhold: true }] as const) {
      const report = await reportOn(wanted);
      expect(report.checks.filter(({ state }) => state === 'fail'), JSON.stringify(wanted)).toEqual([]);
      expect(report.verdict).toBe('verified');
    }
  }, 120_000);

  it('is verified one session at a time: what stood for a vote in it goes along', async () => {
    const sessions = new Set(told.events.flatMap(({ kind, predicate }) => (kind === 'session_opened' ? [(predicate as never as { readonly session: SessionId }).session] : [])));
    expect(sessions.size).toBeGreaterThan(1);
    for (const session of sessions) {
      const report = await reportOn({ session });
      expect(report.checks.filter(({ state }) => state === 'fail'), session).toEqual([]);
      expect(report.verdict).toBe('verified');
    }
  }, 120_000);
});
