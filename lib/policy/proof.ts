import { z } from 'zod';

import { canonicalBytes } from '@/lib/shared/canonical-json';
import { digestField } from '@/lib/shared/document-fields';
import { digestOf, type Sha256 } from '@/lib/shared/encoding';
import type { Digest } from '@/lib/shared/ids';
import { parseDocument } from '@/lib/shared/parse-document';
import type { Result } from '@/lib/shared/result';

import { comparisonSchema, type Comparison } from './compare/comparison';
import { replayReportSchema } from './replay-report';

export const proofSchemaName = 'countersign/policy-proof/v1';

/** Where a proof is larger, its changes have to be cut first (`further` counts them). */
export const largestProof = 4 * 1024 * 1024;

/** The class of a change as receipts record it. Two texts that decide the same ask for what tightening asks for. */
export const classOf = ({ change }: Pick<Comparison, 'change'>): PolicyProof['change'] => (change === 'none' ? 'tighten' : change);

const count = z.int().min(0);

const proofSchema = z.strictObject({
  schema: z.literal(proofSchemaName),
  /** The text it was compared with; null: there was none, and nothing was allowed. */
  base_digest: digestField.nullable(),
  digest: digestField,
  change: z.enum(['tighten', 'loosen', 'mixed', 'moved_authority', 'not_proved']),
  method: z.string().min(1).max(200),
  comparison: comparisonSchema,
  tests: z.strictObject({ passed: count, failed: count }).readonly(),
  lint: z.strictObject({ errors: count, warnings: count }).readonly(),
  replay: replayReportSchema.exactOptional(),
  /** What could not be proved, in sentences. */
  open: z.array(z.string().min(1).max(4096)).max(100).readonly(),
}).readonly();

/** What was found out about a proposed text. Owners sign its digest, and its bytes are kept as content. */
export type PolicyProof = z.output<typeof proofSchema>;

export const proofBytes = (proof: PolicyProof): Uint8Array => canonicalBytes(proof);

export const proofDigest = (proof: PolicyProof, sha256: Sha256): Digest => digestOf(sha256, proofBytes(proof));

export const parseProof = (bytes: Uint8Array): Result<PolicyProof> => parseDocument(proofSchema, bytes, largestProof);
