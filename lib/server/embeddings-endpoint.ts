import { readFile } from 'node:fs/promises';
import { z } from 'zod';

import { dimensions, quantise } from '@/lib/context/embedding';
import type { EmbeddedTexts, Embeddings } from '@/lib/ports/embeddings';

import type { EmbeddingsSettings } from './embeddings-settings';
import { postJson, type ServiceAddress } from './post-json';

/** Nine vectors of the most numbers, as wide as they are commonly written. */
const answerBytes = 2 * 1024 * 1024;

/**
 * Of what an endpoint answers, what is read. What stands beside it (usage, kinds of objects) is the provider's own and decides
 * nothing, so it may be there.
 */
const answer = z.object({
  model: z.string().min(1).max(200),
  data: z.array(z.object({ index: z.int().min(0), embedding: z.array(z.number()).min(dimensions.fewest).max(dimensions.most) })).max(64),
});

/**
 * An endpoint of the form `POST /v1/embeddings` that OpenAI's API has and many servers share, asked at the configured address and
 * nowhere else. Throws when the key's file cannot be read: a plane with half a configuration must not start.
 */
export async function embeddingsEndpoint({ url, model, key, keyFile, allowInner, deadlineMs, scale }: EmbeddingsSettings): Promise<Embeddings> {
  const address: ServiceAddress = { url, token: keyFile === undefined ? key : await readKey(keyFile), allowInner, deadlineMs };
  return {
    model,
    scale,
    embed: async (texts) => {
      const posted = await postJson(address, { encoding_format: 'float', input: texts, model }, answerBytes);
      if ('fault' in posted) return { failure: posted.fault === 'not_allowed' ? 'unreachable' : posted.fault };
      return posted.status === 200 ? readAnswer(posted.body, texts.length) : { failure: 'refused' };
    },
  };
}

async function readKey(file: string): Promise<string> {
  const key = (await readFile(file, 'utf8')).trim();
  if (!/^[\x21-\x7e]{1,4096}$/.test(key)) throw new Error(`EMBEDDINGS_KEY_FILE: ${file} does not hold one key.`);
  return key;
}

/** Exactly one vector for each text, each of one direction and all of one length; anything else is no answer. */
function readAnswer(bytes: Buffer, wanted: number): EmbeddedTexts {
  const parsed = answer.safeParse(parseJson(bytes));
  if (!parsed.success || parsed.data.data.length !== wanted) return { failure: 'malformed' };
  const { model: version, data } = parsed.data;
  const vectors: Int8Array[] = [];
  for (const [at, { index, embedding }] of [...data].sort((a, b) => a.index - b.index).entries()) {
    const vector = quantise(embedding);
    if (index !== at || !vector || vector.length !== (vectors[0] ?? vector).length) return { failure: 'malformed' };
    vectors.push(vector);
  }
  return { version, vectors };
}

function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    // What is no JSON is no answer either: the schema refuses undefined.
    return undefined;
  }
}
