import { z } from 'zod';

import type { DistanceScale } from '@/lib/context/embedding';

/** Where an embeddings endpoint is, and how its vectors are read. */
export type EmbeddingsSettings = {
  /** The whole address, path included. */
  readonly url: URL;
  readonly model: string;
  /** Sent as a bearer token; at most one of the two is set. */
  readonly key: string | undefined;
  readonly keyFile: string | undefined;
  /** It may lie on this machine or an inner network, and speak plain HTTP. */
  readonly allowInner: boolean;
  readonly deadlineMs: number;
  readonly scale: DistanceScale;
};

const cosine = z.coerce.number().min(0).max(1).transform((value) => Math.round(value * 1000));

export const embeddingsFields = {
  EMBEDDINGS_URL: z.url({ protocol: /^https?$/ }).optional(),
  EMBEDDINGS_MODEL: z.string().min(1).max(200).optional(),
  EMBEDDINGS_KEY: z.string().regex(/^[\x21-\x7e]{1,4096}$/, 'must be one key without blanks').optional(),
  EMBEDDINGS_KEY_FILE: z.string().min(1).optional(),
  EMBEDDINGS_ALLOW_PRIVATE: z.enum(['true', 'false']).optional(),
  EMBEDDINGS_DEADLINE_MS: z.coerce.number().int().min(50).max(5000).optional(),
  EMBEDDINGS_FAR: cosine.optional(),
  EMBEDDINGS_NEAR: cosine.optional(),
};

type Found = z.infer<z.ZodObject<typeof embeddingsFields>>;

/** Half a configuration is a fault by name: an endpoint that somebody thinks is asked must not go unasked. */
export function checkEmbeddings(found: Found, fault: (name: string, message: string) => void): void {
  const { EMBEDDINGS_URL: address, EMBEDDINGS_MODEL: model } = found;
  if (address === undefined) {
    for (const [name, value] of Object.entries(found)) if (Object.hasOwn(embeddingsFields, name) && value !== undefined) fault(name, 'means nothing without EMBEDDINGS_URL');
    return;
  }
  const url = new URL(address);
  if (url.username !== '' || url.password !== '') fault('EMBEDDINGS_URL', 'must not hold a password; use EMBEDDINGS_KEY or EMBEDDINGS_KEY_FILE');
  if (url.protocol === 'http:' && found.EMBEDDINGS_ALLOW_PRIVATE !== 'true') fault('EMBEDDINGS_URL', 'must be https, or set EMBEDDINGS_ALLOW_PRIVATE=true for a server of your own network');
  if (model === undefined) fault('EMBEDDINGS_MODEL', 'must be set with EMBEDDINGS_URL');
  if (found.EMBEDDINGS_KEY !== undefined && found.EMBEDDINGS_KEY_FILE !== undefined) fault('EMBEDDINGS_KEY_FILE', 'and EMBEDDINGS_KEY are both set; keep one');
  const { far, near } = scaleOf(found);
  if (far >= near) fault('EMBEDDINGS_FAR', 'must be below EMBEDDINGS_NEAR');
}

/** Undefined: none is configured. Of settings that were checked. */
export function embeddingsSettings(found: Found): EmbeddingsSettings | undefined {
  if (found.EMBEDDINGS_URL === undefined || found.EMBEDDINGS_MODEL === undefined) return undefined;
  return {
    url: new URL(found.EMBEDDINGS_URL),
    model: found.EMBEDDINGS_MODEL,
    key: found.EMBEDDINGS_KEY,
    keyFile: found.EMBEDDINGS_KEY_FILE,
    allowInner: found.EMBEDDINGS_ALLOW_PRIVATE === 'true',
    deadlineMs: found.EMBEDDINGS_DEADLINE_MS ?? 1000,
    scale: scaleOf(found),
  };
}

/** Half of a cosine counts as near and none as far, until the owner has measured a model of theirs. */
const scaleOf = ({ EMBEDDINGS_FAR: far, EMBEDDINGS_NEAR: near }: Found): DistanceScale => ({ far: far ?? 0, near: near ?? 500 });
