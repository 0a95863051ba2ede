import { z } from 'zod';

import { asJson } from '@/lib/shared/as-json';
import { canonicalBytes } from '@/lib/shared/canonical-json';
import { boundedText, countField, digestField, idField, timestampField } from '@/lib/shared/document-fields';
import { envelopePayload, signEnvelope, type Envelope, type Signer } from '@/lib/shared/dsse';
import type { Sha256 } from '@/lib/shared/encoding';
import type { Digest, SessionId, WorkspaceId } from '@/lib/shared/ids';
import { parseDocument } from '@/lib/shared/parse-document';
import { fail, type Result } from '@/lib/shared/result';
import type { Timestamp } from '@/lib/shared/timestamp';

import { bundleSchema, partDigest, type Bundle, type BundlePartName, type BundleParts } from './bundle';

export const manifestSchema = 'countersign/bundle-manifest/v1';
export const manifestPayloadType = 'application/vnd.countersign.bundle-manifest+json';

/** What the exporting process vouches for: whose log, which part of it, and the digest of everything in the file. */
export type BundleManifest = {
  readonly schema: typeof manifestSchema;
  readonly workspace: WorkspaceId;
  /** Log positions of `leaves`: `from` included, `to` excluded. */
  readonly range: { readonly from: number; readonly to: number };
  /** Set when the bundle is a selection: only this session's receipts, each proved by itself as an anchor. */
  readonly session?: SessionId;
  /** The log's size when it was exported: that of the last checkpoint. */
  readonly size: number;
  readonly created_at: Timestamp;
  readonly product_version: string;
  readonly counts: { readonly [Name in BundlePartName]: number };
  readonly digests: { readonly [Name in BundlePartName]: Digest };
};

export type ManifestFacts = Pick<BundleManifest, 'workspace' | 'range' | 'session' | 'size' | 'created_at' | 'product_version'>;

const eachPart = <T>(of: (name: BundlePartName) => T): { readonly [Name in BundlePartName]: T } => ({
  leaves: of('leaves'),
  frontier: of('frontier'),
  anchors: of('anchors'),
  checkpoints: of('checkpoints'),
  consistency: of('consistency'),
  contents: of('contents'),
  absent: of('absent'),
  trust_roots: of('trust_roots'),
  rosters: of('rosters'),
  policies: of('policies'),
});

/** Puts parts and facts into a bundle whose manifest the exporting process signs. */
export async function sealBundle(sha256: Sha256, parts: BundleParts, facts: ManifestFacts, signer: Signer): Promise<Bundle> {
  const manifest: BundleManifest = { schema: manifestSchema, ...facts, counts: countsOf(parts), digests: digestsOf(sha256, parts) };
  const payload = canonicalBytes(asJson(manifest));
  return { schema: bundleSchema, ...parts, manifest: await signEnvelope(manifestPayloadType, payload, [signer]) };
}

export const countsOf = (parts: BundleParts): BundleManifest['counts'] => eachPart((name) => parts[name].length);

export const digestsOf = (sha256: Sha256, parts: BundleParts): BundleManifest['digests'] => eachPart((name) => partDigest(sha256, parts, name));

/** Strict canonical JSON of a manifest; `bundle_unreadable` otherwise. Says nothing about its signature. */
export function readManifest(envelope: Envelope): Result<BundleManifest> {
  const bytes = envelope.payloadType === manifestPayloadType ? envelopePayload(envelope) : undefined;
  if (!bytes) return fail('bundle_unreadable', 'The bundle’s manifest is not one.');
  const parsed = parseDocument(schema, bytes, 64 * 1024);
  return parsed.ok ? parsed : fail('bundle_unreadable', 'The bundle’s manifest cannot be read.', { cause: parsed.error });
}

const schema: z.ZodType<BundleManifest> = z
  .strictObject({
    schema: z.literal(manifestSchema),
    workspace: idField('workspace'),
    range: z.strictObject({ from: countField(0), to: countField(0) }),
    session: idField('session').exactOptional(),
    size: countField(0),
    created_at: timestampField,
    product_version: boundedText(200),
    counts: z.strictObject(eachPart(() => countField(0))),
    digests: z.strictObject(eachPart(() => digestField)),
  })
  .refine(({ range, size }) => range.from <= range.to && range.to <= size, { error: 'The range lies outside the log.' });
