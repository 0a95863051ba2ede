import { z } from 'zod';

import { asJson } from '@/lib/shared/as-json';
import { canonicalBytes } from '@/lib/shared/canonical-json';
import { boundedText, countField, digestField, idField, timestampField } from '@/lib/shared/document-fields';
import { envelopePayload, readEnvelope, signEnvelope, type Envelope, type Signer } from '@/lib/shared/dsse';
import { fromUtf8, type Sha256 } from '@/lib/shared/encoding';
import type { ActionId, Digest, SessionId, WorkspaceId } from '@/lib/shared/ids';
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
  /** Set with `session` when only one action's case is shown: of the session no more than that action's last decision rests on. */
  readonly case?: ActionId;
  /** The log's size when it was exported: that of the last checkpoint. */
  readonly size: number;
  readonly created_at: Timestamp;
  readonly product_version: string;
  readonly counts: { readonly [Name in BundlePartName]: number };
  readonly digests: { readonly [Name in BundlePartName]: Digest };
};

export type ManifestFacts = Pick<BundleManifest, 'workspace' | 'range' | 'session' | 'case' | 'size' | 'created_at' | 'product_version'>;

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

/** The exact bytes of the manifest in a bundle's file, whose SHA-256 the receipt of the export names; undefined when there is none to find. */
export function readManifestPayload(bundle: Uint8Array): Uint8Array | undefined {
  const value: unknown = JSON.parse(fromUtf8(bundle) ?? 'null');
  const envelope = typeof value === 'object' && value !== null && 'manifest' in value ? readEnvelope(value.manifest) : undefined;
  return envelope && envelopePayload(envelope);
}

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
    case: idField('action').exactOptional(),
    size: countField(0),
    created_at: timestampField,
    product_version: boundedText(200),
    counts: z.strictObject(eachPart(() => countField(0))),
    digests: z.strictObject(eachPart(() => digestField)),
  })
  .refine((manifest) => manifest.case === undefined || manifest.session !== undefined, { error: 'A case belongs to a session.' })
  // A selection proves each receipt by itself; one with a stretch of the log would pass for a selection and be judged by fewer rules.
  .refine(({ session, range, size, counts }) => session === undefined || (range.from === size && range.to === size && counts.leaves === 0), { error: 'A selection holds no stretch of the log.' })
  .refine(({ range, size }) => range.from <= range.to && range.to <= size, { error: 'The range lies outside the log.' });
