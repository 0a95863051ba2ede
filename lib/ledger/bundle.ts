import { z } from 'zod';

import { asJson } from '@/lib/shared/as-json';
import { readCanonicalDocument } from '@/lib/shared/canonical-document';
import { canonicalBytes } from '@/lib/shared/canonical-json';
import { digestField } from '@/lib/shared/document-fields';
import { readEnvelope, type Envelope } from '@/lib/shared/dsse';
import { digestOf, type Sha256 } from '@/lib/shared/encoding';
import type { Digest } from '@/lib/shared/ids';
import { listField } from '@/lib/shared/list-field';
import { fail, ok, type Result } from '@/lib/shared/result';

import { contentItemSchema, type ContentItem } from './content';
import type { Leaf } from './leaf';
import { readLeaf } from './parse-leaf';

export const bundleSchema = 'countersign/bundle/v1';

/** A bundle is read whole into memory, in browsers too. */
export const maxBundleBytes = 256 * 1024 * 1024;

/** A receipt from outside the bundle's range, with the path that leads from it to the last checkpoint's root. */
export type Anchor = { readonly leaf: Leaf; readonly path: readonly Digest[] };

/** A policy revision: DSSE over its exact bytes, and DSSE over the statement that gives it its place. */
export type BundlePolicy = { readonly signature: Envelope; readonly apply: Envelope };

/** Content that the bundle leaves out on purpose, so that a reader can tell it from content that went missing. */
export type AbsentContent = { readonly digest: Digest; readonly why: 'withheld' | 'erased' };

/** All that the manifest vouches for, part by part. */
export type BundleParts = {
  /** The receipts of the range, in log order, without a gap. */
  readonly leaves: readonly Leaf[];
  /** Roots of the complete subtrees before the range (hex, largest first): with the leaves they give the tree's root. */
  readonly frontier: readonly Digest[];
  /** Single receipts from outside the range, by rising index. */
  readonly anchors: readonly Anchor[];
  /** Signed notes, by rising size; the last covers the whole range. */
  readonly checkpoints: readonly string[];
  /** That the tree at the range's end is the beginning of the last checkpoint's tree. */
  readonly consistency: readonly Digest[];
  readonly contents: readonly ContentItem[];
  readonly absent: readonly AbsentContent[];
  readonly trust_roots: readonly Envelope[];
  readonly rosters: readonly Envelope[];
  readonly policies: readonly BundlePolicy[];
};

export type Bundle = BundleParts & {
  readonly schema: typeof bundleSchema;
  /** DSSE over the manifest (see bundle-manifest.ts). */
  readonly manifest: Envelope;
};

export const bundlePartNames = [
  'leaves', 'frontier', 'anchors', 'checkpoints', 'consistency', 'contents', 'absent', 'trust_roots', 'rosters', 'policies',
] as const satisfies readonly (keyof BundleParts)[];
export type BundlePartName = (typeof bundlePartNames)[number];

/** The exact bytes of a bundle file. */
export const bundleBytes = (bundle: Bundle): Uint8Array => canonicalBytes(asJson(bundle));

/** SHA-256 of one part's canonical JSON, as the manifest lists it. */
export const partDigest = (sha256: Sha256, parts: BundleParts, name: BundlePartName): Digest =>
  digestOf(sha256, canonicalBytes(asJson(parts[name])));

/** Reads a bundle file. Strict: bytes that `bundleBytes` would write differently, or of another shape, are `bundle_unreadable`. */
export function parseBundle(bytes: Uint8Array): Result<Bundle> {
  const json = readCanonicalDocument(bytes, maxBundleBytes);
  if (!json.ok) return fail('bundle_unreadable', json.error.detail, { cause: json.error });
  const parsed = schema.safeParse(json.value);
  if (parsed.success) return ok(parsed.data);
  const issues = parsed.error.issues.slice(0, 20).map((issue) => ({ path: issue.path.join('.'), message: issue.message }));
  return fail('bundle_unreadable', 'The file does not have the shape of a bundle.', { issues });
}

const envelope = z.unknown().transform((value, context): Envelope => {
  const read = readEnvelope(value);
  if (read) return read;
  context.addIssue({ code: 'custom', message: 'Expected a DSSE envelope.' });
  return z.NEVER;
});

const leaf = z.unknown().transform((value, context): Leaf => {
  const read = readLeaf(value);
  if (read) return read;
  context.addIssue({ code: 'custom', message: 'Expected a leaf of the log.' });
  return z.NEVER;
});

const maxPath = 64;

const schema: z.ZodType<Bundle> = z.strictObject({
  schema: z.literal(bundleSchema),
  manifest: envelope,
  leaves: listField(leaf),
  frontier: listField(digestField, maxPath),
  anchors: listField(z.strictObject({ leaf, path: listField(digestField, maxPath) })),
  checkpoints: listField(z.string().max(64 * 1024), 100_000),
  consistency: listField(digestField, 2 * maxPath),
  contents: listField(contentItemSchema),
  absent: listField(z.strictObject({ digest: digestField, why: z.enum(['withheld', 'erased']) })),
  trust_roots: listField(envelope, 10_000),
  rosters: listField(envelope, 100_000),
  policies: listField(z.strictObject({ signature: envelope, apply: envelope }), 100_000),
});

