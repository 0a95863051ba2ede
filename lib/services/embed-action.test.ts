import { describe, expect, test } from 'vitest';

import { unpackVector } from '@/lib/context/embedding';
import type { EmbeddedTexts, Embeddings } from '@/lib/ports/embeddings';
import { act, request, stateAfter } from '@/lib/testing/context-builders';

import { embedAction, textOfAction } from './embed-action';

const scale = { far: 0, near: 500 };
function endpoint(answer: (texts: readonly string[]) => EmbeddedTexts): Embeddings & { readonly asked: string[][] } {
  const asked: string[][] = [];
  return { asked, model: 'm', scale, embed: async (texts) => (asked.push([...texts]), answer(texts)) };
}
/** One direction a text, by its length: enough to tell them apart. */
const byLength = endpoint((texts) => ({ version: 'm-1', vectors: texts.map((text) => Int8Array.of(127, Math.min(127, text.length))) }));
const send = act('email.send', { to: 'a@corp.example', body: 'hello' });

describe('what leaves the process', () => {
  test('is the action’s names and texts', () => {
    expect(textOfAction(send)).toBe('email send\na@corp.example\nhello');
  });

  test('nothing of an argument that the catalogue calls sensitive', () => {
    const fetch = act('http.fetch', { url: 'https://corp.example/', method: 'POST', headers: { cookie: 'private' }, body: 'open' });
    expect(textOfAction(fetch)).not.toContain('private');
    expect(textOfAction(fetch)).toContain('open');
  });

  test('no secret, wherever in a text it stands', () => {
    const secret = `ghp_${'aB3dE5gH7jK9'.repeat(3)}`;
    for (const before of [0, 1_950, 3_980]) {
      const text = textOfAction(act('email.send', { to: 'a@corp.example', body: `${'word '.repeat(before / 5)}${secret} end` }));
      expect(text).not.toContain(secret.slice(0, 12));
    }
    const key = `-----BEGIN PRIVATE KEY-----\n${'aB3dE5gH7jK9'.repeat(600)}\n-----END PRIVATE KEY-----`;
    expect(textOfAction(act('email.send', { to: 'a@corp.example', body: key }))).not.toContain('aB3dE5gH7jK9');
  });

  test('is bounded, however much an action or a session says', async () => {
    const state = stateAfter(...Array.from({ length: 30 }, (_, n) => request(`Request ${String(n)} ${'long '.repeat(2_000)}`)));
    const asked = endpoint((texts) => byLength.embed(texts) as never);
    await embedAction(asked, state, act('email.send', { to: 'a@corp.example', body: 'x'.repeat(100_000) }));
    const [texts] = asked.asked;
    expect(texts).toHaveLength(9);
    expect(texts?.[1]).toContain('Request 0');
    expect(texts?.[8]).toContain('Request 29');
    for (const text of texts ?? []) expect(text.length).toBeLessThanOrEqual(2_000);
  });

  test('nothing when none is configured, and nothing when nobody asked for anything', async () => {
    expect(await embedAction(null, stateAfter(request('x')), send)).toBeUndefined();
    const asked = endpoint((texts) => byLength.embed(texts) as never);
    expect(await embedAction(asked, stateAfter(), send)).toBeUndefined();
    expect(await embedAction(asked, stateAfter(request('> only quoted')), send)).toBeUndefined();
    expect(asked.asked).toEqual([]);
  });
});

describe('what comes of it', () => {
  test('is held against the nearest request, whichever came first', async () => {
    const vectors = [Int8Array.of(127, 0), Int8Array.of(0, 127), Int8Array.of(127, 1)];
    const found = await embedAction(endpoint(() => ({ version: 'm-1', vectors })), stateAfter(request('First.'), request('Second.')), send);
    expect(found).toMatchObject({ version: 'm-1', request_at: 1 });
    expect(found && 'request' in found && unpackVector(found.request)).toEqual(Int8Array.of(127, 1));
  });

  test.each<[string, EmbeddedTexts, string]>([
    ['a failure', { failure: 'late' }, 'late'],
    ['too few vectors', { version: 'm', vectors: [Int8Array.of(1, 2)] }, 'malformed'],
    ['vectors of two lengths', { version: 'm', vectors: [Int8Array.of(1, 2), Int8Array.of(1, 2, 3)] }, 'malformed'],
    ['no vectors', { version: 'm', vectors: [] }, 'malformed'],
  ])('%s is evidence that nobody knows', async (_what, answer, failure) => {
    expect(await embedAction(endpoint(() => answer), stateAfter(request('Do it.')), send)).toEqual({ model: 'm', scale, failure });
  });
});

