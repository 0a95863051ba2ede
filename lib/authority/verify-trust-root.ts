import { canonicalJson } from '@/lib/shared/canonical-json';
import { envelopePayload, verifiedSigners, type Envelope, type VerifySignature } from '@/lib/shared/dsse';
import { digestOf, fromBase64, type Sha256 } from '@/lib/shared/encoding';
import type { Digest } from '@/lib/shared/ids';
import { fail, ok, type Result } from '@/lib/shared/result';

import { keyIdsHold } from './key-ids';
import { parseTrustRoot } from './parse-trust-root';
import { signedByOwners } from './signed-by-owners';
import { trustRootPayloadType, type TrustRoot, type VerifiedTrustRoot } from './trust-root';

export type Cryptography = { readonly verify: VerifySignature; readonly sha256: Sha256 };

/** Seconds of notice, as the log shows them, before owners may be replaced with the recovery key. */
export const recoveryNoticeSeconds = 24 * 3600;

/**
 * For a root that only the recovery key signed: the seconds between the log's first announcement of that very digest and its coming into
 * force. Undefined when it was never announced, or an owner cancelled it.
 */
export type RecoveryNotice = (rootDigest: Digest) => number | undefined;

const noNotice: RecoveryNotice = () => undefined;

/**
 * Checks a chain of trust roots, oldest first, from the pinned fingerprint to the newest.
 * The first is known by its digest and signed by each of its own owners; each later one is signed by what the one before accepts.
 * Every fault is `trust_root_invalid`, with the version at which the chain breaks.
 */
export async function verifyTrustRootChain(
  envelopes: readonly Envelope[],
  fingerprint: Digest,
  cryptography: Cryptography,
  notice?: RecoveryNotice,
): Promise<Result<VerifiedTrustRoot>> {
  const { roots, fault } = await verifyTrustRoots(envelopes, fingerprint, cryptography, notice);
  if (fault) return fault;
  const newest = roots.at(-1);
  return newest ? ok(newest) : invalid('There is no trust root.');
}

/** The same, with every version of the chain up to the first that does not hold, and why that one does not. */
export async function verifyTrustRoots(
  envelopes: readonly Envelope[],
  fingerprint: Digest,
  { verify, sha256 }: Cryptography,
  notice: RecoveryNotice = noNotice,
): Promise<{ readonly roots: readonly VerifiedTrustRoot[]; readonly fault?: Failure }> {
  const roots: VerifiedTrustRoot[] = [];
  for (const envelope of envelopes) {
    const next = readRoot(envelope, sha256);
    if (!next.ok) return { roots, fault: next };
    const { root, digest } = next.value;
    const current = roots.at(-1);
    const fault: string | undefined = current
      ? await faultOfSuccessor(envelope, root, digest, current, verify, notice)
      : await faultOfFirst(envelope, root, digest, fingerprint, verify);
    if (fault) return { roots, fault: invalid(`Trust root ${root.version}: ${fault}`) };
    roots.push({ root, digest, fingerprint });
  }
  return { roots };
}

type Failure = ReturnType<typeof fail>;

function readRoot(envelope: Envelope, sha256: Sha256): Result<{ root: TrustRoot; digest: Digest }> {
  if (envelope.payloadType !== trustRootPayloadType) return invalid(`The envelope holds ${envelope.payloadType}, not a trust root.`);
  const bytes = envelopePayload(envelope);
  if (!bytes) return invalid('The payload is not canonical base64.');
  const root = parseTrustRoot(bytes);
  if (!root.ok) return invalid(root.error.detail, root.error);
  const { owners, services, recovery } = root.value;
  const keys = [...owners.map(({ key }) => key), ...services.map(({ key }) => key), recovery.key];
  if (!keyIdsHold(keys, sha256)) return invalid("A key's id is not the hash of the key.");
  return ok({ root: root.value, digest: digestOf(sha256, bytes) });
}

async function faultOfFirst(envelope: Envelope, root: TrustRoot, digest: Digest, fingerprint: Digest, verify: VerifySignature) {
  if (digest !== fingerprint) return 'its digest is not the pinned fingerprint.';
  if (root.version !== 1) return 'a chain begins with version 1.';
  const signed = await signedByOwners(envelope, root, 'root', verify);
  const everyone = new Set(root.owners.map(({ person }) => person)).size;
  if (signed.invalid || signed.people.length < everyone) return 'not every one of its owners has signed it.';
  return undefined;
}

async function faultOfSuccessor(
  envelope: Envelope,
  root: TrustRoot,
  digest: Digest,
  before: VerifiedTrustRoot,
  verify: VerifySignature,
  notice: RecoveryNotice,
) {
  const unlinked = faultOfLink(root, before);
  if (unlinked !== undefined) return unlinked;
  const signed = await signedByOwners(envelope, before.root, 'root', verify);
  if (signed.invalid) return 'a signature on it does not verify.';
  if (signed.people.length >= before.root.thresholds.root) return undefined;
  const fault = await faultOfRecovery(envelope, root, before.root, verify);
  if (fault !== undefined) return fault;
  const seconds = notice(digest);
  if (seconds === undefined || seconds < recoveryNoticeSeconds) return 'its recovery has not been announced for 24 hours.';
  return undefined;
}

function faultOfLink(root: TrustRoot, before: Pick<VerifiedTrustRoot, 'root' | 'digest'>): string | undefined {
  if (root.version !== before.root.version + 1) return `it follows version ${before.root.version}.`;
  if (root.previous !== before.digest) return 'it does not name the version before it.';
  return root.workspace === before.root.workspace ? undefined : 'it belongs to another workspace.';
}

/**
 * The root that an announcement brings forward: the next version after `before`, signed by its recovery key, with other owner keys and
 * nothing else. Whether its notice is over is not asked here. `trust_root_invalid`.
 */
export async function readRecovery(
  envelope: Envelope,
  before: Pick<VerifiedTrustRoot, 'root' | 'digest'>,
  { verify, sha256 }: Cryptography,
): Promise<Result<{ readonly root: TrustRoot; readonly digest: Digest }>> {
  const next = readRoot(envelope, sha256);
  if (!next.ok) return next;
  const { root } = next.value;
  const fault = faultOfLink(root, before) ?? (await faultOfRecovery(envelope, root, before.root, verify));
  return fault === undefined ? next : invalid(`Trust root ${root.version}: ${fault}`);
}

/** The recovery key has one power: to replace owner keys, after a day in which everybody could see it coming. */
async function faultOfRecovery(envelope: Envelope, root: TrustRoot, before: TrustRoot, verify: VerifySignature): Promise<string | undefined> {
  const { key } = before.recovery;
  const publicKey = fromBase64(key.public_key);
  const signers = await verifiedSigners(envelope, new Map(publicKey ? [[key.id, publicKey]] : []), verify);
  if (!signers.has(key.id)) return 'too few owners of the version before have signed it.';
  if (canonicalJson(withoutOwners(root)) !== canonicalJson(withoutOwners(before))) return 'the recovery key may replace owner keys and nothing else.';
  return undefined;
}

/** All that a recovery must leave as it is. The owners that it brings in renew the recovery key themselves. */
const withoutOwners = ({ workspace, thresholds, key_kinds, services, recovery, cool_off_seconds }: TrustRoot) => ({
  workspace,
  thresholds,
  key_kinds,
  recovery,
  services: services.map(({ key, role, from, to }) => ({ key, role, from, to: to ?? null })),
  cool_off_seconds,
});

const invalid = (detail: string, cause?: unknown) => fail('trust_root_invalid', detail, cause === undefined ? {} : { cause });
