import { canonicalBytes } from '@/lib/shared/canonical-json';
import { signEnvelope, type Envelope, type Signer } from '@/lib/shared/dsse';
import { digestOf, type Sha256 } from '@/lib/shared/encoding';
import type { Digest } from '@/lib/shared/ids';

import { rosterPayloadType, type Roster } from './roster';
import { trustRootPayloadType, type TrustRoot } from './trust-root';

export const trustRootBytes = (root: TrustRoot): Uint8Array => canonicalBytes({ ...root });
export const rosterBytes = (roster: Roster): Uint8Array => canonicalBytes({ ...roster });

/** Of the first trust root this is the fingerprint that everything is pinned to. */
export const trustRootDigest = (root: TrustRoot, sha256: Sha256): Digest => digestOf(sha256, trustRootBytes(root));
export const rosterDigest = (roster: Roster, sha256: Sha256): Digest => digestOf(sha256, rosterBytes(roster));

export const signTrustRoot = (root: TrustRoot, signers: readonly Signer[]): Promise<Envelope> =>
  signEnvelope(trustRootPayloadType, trustRootBytes(root), signers);

export const signRoster = (roster: Roster, signers: readonly Signer[]): Promise<Envelope> =>
  signEnvelope(rosterPayloadType, rosterBytes(roster), signers);
