import type { Cryptography } from '@/lib/authority/verify-trust-root';
import { parseBundle, type Bundle } from '@/lib/ledger/bundle';
import { readManifest, type BundleManifest } from '@/lib/ledger/bundle-manifest';
import type { VerifySignature } from '@/lib/shared/dsse';
import type { Sha256 } from '@/lib/shared/encoding';
import type { Digest } from '@/lib/shared/ids';

import { checkCheckpoints } from './check-checkpoints';
import { checkClasses } from './check-classes';
import { checkCompleteness } from './check-completeness';
import { checkContents } from './check-contents';
import { checkEvents } from './check-events';
import { checkManifest } from './check-manifest';
import { checkReceipts } from './check-receipts';
import { checkSessions } from './check-sessions';
import { checkStatements } from './check-statements';
import { checkChain, checkConsistency, checkTree, type KnownHead } from './check-tree';
import { checkVotes } from './check-votes';
import { readEntries, type Entry } from './parse-entries';
import type { FindClass } from './find-class';
import { withoutRevokedKeys } from './key-revocations';
import { checkPairing, pairActions } from './pairing';
import { readPolicyHistory, type PlacedPolicy } from './policy-history';
import type { OnProgress } from './progress';
import { checkRederivation, rederiveAll, type Rederive } from './rederive';
import { failed, limits, passed, type Check, type Report } from './report';
import { readRosterHistory, type PlacedRoster } from './roster-history';
import { readTrustHistory, type PlacedRoot } from './trust-history';

export type VerifyOptions = {
  /** SHA-256 of the first trust root's bytes, from somewhere else than the bundle. */
  readonly root?: Digest;
  /** A raw public key that is known to be the log's for checkpoints. Stands in for the fingerprint. */
  readonly checkpointKey?: Uint8Array;
  /** Tree heads known from elsewhere: exported checkpoints, pins. */
  readonly known?: readonly KnownHead[];
  readonly sha256: Sha256;
  readonly verifySignature: VerifySignature;
  readonly rederive?: Rederive;
  readonly findClass?: FindClass;
  /** Told how far the long checks are. */
  readonly onProgress?: OnProgress;
};

/** What was read on the way to a report, for whoever shows single receipts. */
export type Examined = {
  readonly bundle: Bundle;
  readonly manifest: BundleManifest;
  readonly entries: readonly Entry[];
  readonly roots: readonly PlacedRoot[];
  readonly rosters: readonly PlacedRoster[];
  readonly policies: readonly PlacedPolicy[];
};

/** Checks a bundle file from its bytes alone. Never throws on what the bytes are; everything found is in the report. */
export async function verifyBundle(bytes: Uint8Array, options: VerifyOptions): Promise<Report> {
  return (await examineBundle(bytes, options)).report;
}

/** The same, with what was read; `examined` is undefined when the file cannot be read as a bundle. */
export async function examineBundle(bytes: Uint8Array, options: VerifyOptions): Promise<{ readonly report: Report; readonly examined: Examined | undefined }> {
  const { sha256, verifySignature: verify, known = [], onProgress } = options;
  const cryptography: Cryptography = { sha256, verify };
  const bundle = parseBundle(bytes);
  if (!bundle.ok) return { report: unreadable(bundle.error.detail), examined: undefined };
  const manifest = readManifest(bundle.value.manifest);
  if (!manifest.ok) return { report: unreadable(manifest.error.detail), examined: undefined };

  const entries = readEntries(bundle.value, sha256);
  const trust = await readTrustHistory(bundle.value.trust_roots, entries, options.root, cryptography);
  const { roots } = trust;
  const checkpoints = await checkCheckpoints(bundle.value, manifest.value, roots, options.checkpointKey, cryptography);
  const signedRosters = await readRosterHistory(bundle.value.rosters, entries, roots, cryptography);
  const rosters = withoutRevokedKeys(signedRosters.rosters, entries);
  const policies = await readPolicyHistory(bundle.value.policies, entries, roots, cryptography);
  const pairing = pairActions(entries);
  const rederived = rederiveAll(bundle.value, entries, policies.policies, options.rederive, onProgress);
  const classes = checkClasses(entries, policies.policies, roots, options.findClass, onProgress);
  const checks: readonly Check[] = [
    passed('decoding', `${bytes.length} bytes.`),
    await checkManifest(bundle.value, manifest.value, roots.at(-1)?.root, cryptography),
    trust.check,
    await checkReceipts(entries, manifest.value, roots, cryptography, onProgress),
    checkChain(bundle.value, entries, manifest.value),
    checkTree(bundle.value, entries, manifest.value, sha256),
    checkpoints.check,
    checkConsistency(bundle.value, entries, manifest.value, known, sha256),
    signedRosters.check,
    policies.check,
    checkSessions(entries, manifest.value),
    await checkVotes(entries, roots, rosters, bundle.value.contents, cryptography),
    await checkStatements(entries, roots, rosters, cryptography),
    checkPairing(pairing),
    ...(await checkEvents({
      entries, roots, rosters, policies: policies.policies, cryptography,
      complete: manifest.value.range.from === 0 && manifest.value.session === undefined ? manifest.value.range.to : 0,
      closed: manifest.value.range.to === manifest.value.size && manifest.value.session === undefined,
    })),
    checkContents(bundle.value, entries, sha256),
    checkCompleteness(entries, manifest.value),
    checkRederivation(rederived),
    classes,
  ];
  const holds = checks.every(({ state }) => state !== 'fail');
  const issuerKnown = options.root !== undefined || checkpoints.knownKey;
  const report: Report = {
    verdict: !holds ? 'failed' : issuerKnown ? 'verified' : 'consistent_issuer_not_verified',
    checks,
    pairing,
    rederived,
    root: trust.fingerprint,
    size: manifest.value.size,
    receipts: entries.length,
    limits,
  };
  return { report, examined: { bundle: bundle.value, manifest: manifest.value, entries, roots, rosters, policies: policies.policies } };
}

const unreadable = (detail: string): Report => ({
  verdict: 'unreadable',
  checks: [failed('decoding', detail)],
  pairing: [],
  rederived: { reproduced: 0, differs: 0, cannot: 0, notes: [] },
  root: null,
  size: null,
  receipts: 0,
  limits,
});
