import { createHash } from 'node:crypto';

import type { EmbeddedTexts, Embeddings } from '@/lib/ports/embeddings';

/** Vectors kept at most: some four kilobytes each. */
const mostKept = 2_000;
/** Questions that are out at once at most: a slow endpoint must not gather connections. */
const mostOpen = 32;

/**
 * Asks an endpoint once for each text. Requests are held against every action of their session, and actions are decided again, so
 * most texts were asked for before. Vectors of another version than the one that answered last are forgotten: they are not of one space.
 */
export function rememberedEmbeddings(endpoint: Embeddings): Embeddings {
  const known = new Map<string, Int8Array>();
  let version: string | undefined;
  let open = 0;

  async function ask(texts: readonly string[]): Promise<EmbeddedTexts> {
    if (open >= mostOpen) return { failure: 'busy' };
    open += 1;
    try {
      return await endpoint.embed(texts);
    } finally {
      open -= 1;
    }
  }

  async function embed(texts: readonly string[]): Promise<EmbeddedTexts> {
    const keys = texts.map(keyOf);
    const missing = [...new Map(keys.flatMap((key, at) => (known.has(key) ? [] : [[key, texts[at] ?? ''] as const])))];
    if (missing.length > 0) {
      const answer = await ask(missing.map(([, text]) => text));
      if ('failure' in answer) return answer;
      const isAnother = version !== answer.version;
      if (isAnother) known.clear();
      version = answer.version;
      for (const [at, [key]] of missing.entries()) {
        const vector = answer.vectors[at];
        if (vector) keep(key, vector);
      }
      // Some of the texts were known of another version: asked for again, whole, and this time from the one that answers now.
      if (isAnother && missing.length < new Set(keys).size) return await ask(texts);
    }
    const vectors = keys.flatMap((key) => known.get(key) ?? []);
    // Another question may have brought a new version, or crowded these out, while this one was open.
    return version !== undefined && vectors.length === texts.length ? { version, vectors } : await ask(texts);
  }

  function keep(key: string, vector: Int8Array): void {
    known.delete(key);
    known.set(key, vector);
    const oldest = known.size > mostKept ? known.keys().next() : null;
    if (oldest?.done === false) known.delete(oldest.value);
  }

  return { ...endpoint, embed };
}

const keyOf = (text: string): string => createHash('sha256').update(text).digest('base64');
