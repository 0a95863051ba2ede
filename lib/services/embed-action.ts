import { cosineOf, packVector, type Embedding } from '@/lib/context/embedding';
import type { SessionState } from '@/lib/context/session-state';
import { eachLeaf } from '@/lib/context/value-index';
import { detectSecrets } from '@/lib/guards/detect-secrets';
import type { CanonicalAction } from '@/lib/mediate/action';
import type { Embeddings } from '@/lib/ports/embeddings';

/** Requests that an action is held against: the first that is kept, and the newest. */
const requestsSent = 8;
/** UTF-16 units of one text at most; taken from the first of these, in which secrets are looked for as far as the longest could reach. */
const longestSent = 2_000;
const longestTaken = 4_000;
const longestSearched = 16_384;

/**
 * How near an action is to what was asked, as an embeddings endpoint sees it: evidence for the snapshot. Undefined where none is
 * configured or nothing was asked. Never throws for what the endpoint does; a failure is evidence too, that nobody knows.
 */
export async function embedAction(embeddings: Embeddings | null, state: SessionState, action: CanonicalAction): Promise<Embedding | undefined> {
  if (embeddings === null) return undefined;
  const { model, scale } = embeddings;
  const asked = requestsOf(state.requests);
  if (asked.length === 0) return undefined;
  const found = await embeddings.embed([textOfAction(action), ...asked.map(({ text }) => text)]);
  if ('failure' in found) return { model, scale, failure: found.failure };
  const [own, ...others] = found.vectors;
  let best: { readonly at: number; readonly vector: Int8Array; readonly cosine: number } | undefined;
  for (const [i, { at }] of asked.entries()) {
    const vector = others[i];
    const cosine = own && vector ? cosineOf(own, vector) : undefined;
    if (vector === undefined || cosine === undefined) return { model, scale, failure: 'malformed' };
    // Whoever asks for a second thing has asked for it, however far it is from the first.
    if (!best || cosine > best.cosine) best = { at, vector, cosine };
  }
  if (!own || !best) return { model, scale, failure: 'malformed' };
  return { model, scale, version: found.version, action: packVector(own), request: packVector(best.vector), request_at: best.at };
}

function requestsOf(requests: readonly string[]): readonly { readonly at: number; readonly text: string }[] {
  const placed = requests.map((text, at) => ({ at, text }));
  const kept = placed.length <= requestsSent ? placed : [...placed.slice(0, 1), ...placed.slice(1 - requestsSent)];
  // What was only quoted says nothing of its own, and an endpoint may refuse an empty text.
  return kept.map(({ at, text }) => ({ at, text: sendable(text) })).filter(({ text }) => text.trim() !== '');
}

/**
 * What leaves this process of an action: its names, and the texts among its arguments. Nothing of an argument that the catalogue
 * calls sensitive, and no secret that the detectors know.
 */
export function textOfAction({ tool, operation, parameters, entry }: CanonicalAction): string {
  const texts = [`${tool} ${operation}`];
  for (const [name, value] of Object.entries(parameters)) {
    const spec = Object.hasOwn(entry.parameters, name) ? entry.parameters[name] : undefined;
    if (spec?.sensitive === true) continue;
    eachLeaf(value, name, (leaf) => {
      if (typeof leaf === 'string') texts.push(leaf);
    });
  }
  return sendable(texts.join('\n'));
}

/** Secrets are looked for before the text is cut: half a secret is one that no detector knows. */
function sendable(text: string): string {
  let [sent, from] = ['', 0];
  for (const { start, end } of detectSecrets(text.slice(0, longestSearched))) {
    if (start >= longestTaken) break;
    sent += `${text.slice(from, start)}…`;
    from = end;
  }
  return `${sent}${text.slice(from, Math.max(from, longestTaken))}`.slice(0, longestSent).toWellFormed();
}
