import { fromBase64, toBase64 } from '@/lib/shared/encoding';

/** Evidence of this version is read alike; another way to come from vectors to a score is a new version. */
export const embeddingFormula = 1;

/** Numbers of one vector: fewer say nothing, more would not fit what is exact below. */
export const dimensions = { fewest: 2, most: 4096 } as const;

/** Why there are no vectors. `busy`: too many questions were out already. */
export const embeddingFailures = ['late', 'unreachable', 'refused', 'malformed', 'too_large', 'busy'] as const;
export type EmbeddingFailure = (typeof embeddingFailures)[number];

/** Thousandths of a cosine: at `far` and below a text has nothing to do with another one, at `near` and above all. Models differ in both. */
export type DistanceScale = { readonly far: number; readonly near: number };

/** What was asked of an embeddings endpoint for one action and what came of it. `model` as configured, `version` as the endpoint calls what answered. */
export type Embedding = { readonly model: string; readonly scale: DistanceScale } & (
  | { readonly failure: EmbeddingFailure }
  /** Vectors as `packVector` writes them. `request` is that of the request the action is nearest to, `request_at` its place among the snapshot's. */
  | { readonly version: string; readonly action: string; readonly request: string; readonly request_at: number }
);

/** As a snapshot holds it: with what the session had come to before, null for nothing that this model and version measured. */
export type EmbeddingEvidence = Embedding & { readonly formula: typeof embeddingFormula; readonly before: number | null };

/** How near one permitted action was, in its context entry, and the session's running mean: thousandths, by what they were measured with. */
export type EmbeddedNearness = { readonly model: string; readonly version: string; readonly nearness: number };

/**
 * A vector in whole numbers from −127 to 127, its largest part at the end of that range: a cosine keeps about two digits, and
 * everybody who computes it again gets exactly the same. Undefined for what has no direction, or not a number somewhere.
 */
export function quantise(vector: readonly number[]): Int8Array | undefined {
  if (vector.length < dimensions.fewest || vector.length > dimensions.most) return undefined;
  let largest = 0;
  for (const part of vector) {
    if (!Number.isFinite(part)) return undefined;
    largest = Math.max(largest, Math.abs(part));
  }
  if (largest === 0) return undefined;
  return Int8Array.from(vector, (part) => Math.round((part / largest) * 127));
}

export const packVector = (vector: Int8Array): string => toBase64(new Uint8Array(vector.buffer, vector.byteOffset, vector.length));

/** Undefined for what is no vector. */
export function unpackVector(text: string): Int8Array | undefined {
  const bytes = fromBase64(text);
  if (!bytes || bytes.length < dimensions.fewest || bytes.length > dimensions.most) return undefined;
  const vector = new Int8Array(bytes);
  return vector.some((part) => part !== 0) ? vector : undefined;
}

/** The cosine in thousandths, rounded down, nothing below zero; undefined for vectors of different length. Whole numbers throughout. */
export function cosineOf(a: Int8Array, b: Int8Array): number | undefined {
  if (a.length !== b.length) return undefined;
  let [dot, ofA, ofB] = [0, 0, 0];
  for (const [at, part] of a.entries()) {
    const other = b[at] ?? 0;
    dot += part * other;
    ofA += part * part;
    ofB += other * other;
  }
  if (dot <= 0 || ofA === 0 || ofB === 0) return 0;
  // Each is under 2^53, their products are not.
  const [wanted, one] = [BigInt(dot) * BigInt(dot) * 1_000_000n, BigInt(ofA) * BigInt(ofB)];
  let [low, high] = [0, 1000];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (BigInt(middle * middle) * one <= wanted) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Thousandths; null where there is no telling: the endpoint failed, or what is kept of its answer is no pair of vectors. */
export function nearnessByVectors(embedding: Embedding): number | null {
  if ('failure' in embedding) return null;
  const [action, request] = [unpackVector(embedding.action), unpackVector(embedding.request)];
  return action && request ? (cosineOf(action, request) ?? null) : null;
}

/** The newest action counts a quarter, as with the distance by words: one far step shows, many show more. */
export const runningMean = (before: number | null, now: number): number => (before === null ? now : Math.floor((3 * before + now) / 4));

const isOneScale = (a: Pick<EmbeddedNearness, 'model' | 'version'>, b: Pick<EmbeddedNearness, 'model' | 'version'>): boolean => a.model === b.model && a.version === b.version;

/** The running mean after one more permitted action. Another model or version begins anew: its numbers and the old ones mean nothing together. */
export const embeddedAfter = (before: EmbeddedNearness | null, now: EmbeddedNearness): EmbeddedNearness =>
  before !== null && isOneScale(before, now) ? { ...now, nearness: runningMean(before.nearness, now.nearness) } : now;

/** With what the session had come to before, as far as the same model and version measured it. */
export const asEvidence = (embedding: Embedding, known: EmbeddedNearness | null): EmbeddingEvidence => ({
  ...embedding,
  formula: embeddingFormula,
  before: known !== null && 'version' in embedding && isOneScale(known, embedding) ? known.nearness : null,
});

/** What a permit's entry keeps of it. Undefined where nothing was measured. */
export function embeddedBy(embedding: Embedding): EmbeddedNearness | undefined {
  const nearness = nearnessByVectors(embedding);
  return nearness === null || 'failure' in embedding ? undefined : { model: embedding.model, version: embedding.version, nearness };
}
