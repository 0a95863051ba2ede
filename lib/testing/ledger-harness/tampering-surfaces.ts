import { expect } from 'vitest';

import type { Pin } from '@/lib/authority/pins';
import { pinSchema } from '@/lib/authority/pins';
import { bundleBytes, type Bundle } from '@/lib/ledger/bundle';
import { readManifest, sealBundle } from '@/lib/ledger/bundle-manifest';
import { stockCatalogue } from '@/lib/mediate/stock';
import { hexDigest } from '@/lib/shared/encoding';
import type { KnownHead } from '@/lib/verify/check-tree';
import { findClassWith } from '@/lib/verify/find-class';
import { rederiveWith } from '@/lib/verify/rederive-decision';
import type { Report } from '@/lib/verify/report';
import { verifyBundle } from '@/lib/verify/verify-bundle';

import { nodeSha256 as sha256, nodeVerifySignature as verifySignature } from '../node-crypto';
import { fingerprintOf } from './cast';
import { builtFrom } from './sign-told';
import { indexOf, type Surfaces } from './tampering';
import type { ToldLedger } from './teller';

const [rederive, findClass] = [rederiveWith(sha256, stockCatalogue(sha256)), findClassWith(sha256, stockCatalogue(sha256))];

export const bundleOf = async (told: ToldLedger): Promise<Bundle> => (await builtFrom(told)).bundle({ signer: told.cast.keys.console });

/** What somebody with the console's key does: change parts and sign the manifest over them again. */
export async function resealed(bundle: Bundle, change: Partial<Bundle>, { cast }: ToldLedger): Promise<Uint8Array> {
  const manifest = readManifest(bundle.manifest);
  if (!manifest.ok) throw new Error(manifest.error.detail);
  const { workspace, range, size, created_at, product_version } = manifest.value;
  const { schema: _schema, manifest: _manifest, ...parts } = { ...bundle, ...change };
  return bundleBytes(await sealBundle(sha256, parts, { workspace, range, size, created_at, product_version }, cast.keys.console.signer));
}

/** As the page and the command run it: the fingerprint comes from elsewhere. */
export const verifyTold = (bytes: Uint8Array, { cast }: ToldLedger, known: readonly KnownHead[] = []): Promise<Report> =>
  verifyBundle(bytes, { sha256, verifySignature, root: fingerprintOf(cast), rederive, findClass, known });

/** The pin of a process that has served all of a log. */
export async function pinOf(told: ToldLedger): Promise<Pin> {
  const policy = told.policies.at(-1);
  const size = told.events.length;
  return {
    schema: pinSchema, root_fingerprint: fingerprintOf(told.cast), root_version: told.trustRoots.length, roster_version: told.rosters.length,
    policy: policy ? { revision: policy.revision, digest: policy.digest } : null,
    log: { size, root: hexDigest((await builtFrom(told)).root(size)) },
  };
}

/** That a report says what the table says it does, at the position that it says. */
export function expectFound(report: Report, found: Surfaces['verify'], told: ToldLedger): void {
  if (found === 'unreadable') return void expect(report.verdict).toBe('unreadable');
  if ('refused' in found) throw new Error('A bundle was made, though none should be.');
  const failed = report.checks.filter(({ state }) => state === 'fail').map(({ id, detail, firstBad }) => ({ id, detail, firstBad }));
  if ('unseen' in found) {
    expect(failed).toEqual([]);
    return void expect(report.verdict).toBe('verified');
  }
  const check = report.checks.find(({ id }) => id === found.check);
  expect({ state: check?.state, failed }).toMatchObject({ state: found.unsure ? 'unknown' : 'fail' });
  expect(check?.detail).toContain(found.says);
  if (found.at !== undefined) expect(check?.firstBad).toBe(indexOf(told, found.at));
  expect(report.verdict).toBe(found.unsure ? 'verified' : 'failed');
}
