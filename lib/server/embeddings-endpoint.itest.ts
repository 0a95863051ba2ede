import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { embeddingsEndpoint } from './embeddings-endpoint';
import { rememberedEmbeddings } from './remembered-embeddings';

type Reply = (request: http.IncomingMessage, body: string, response: http.ServerResponse) => void;

let reply: Reply = () => undefined;
let calls = 0;
let server: http.Server;
let url: URL;
let folder: string;
beforeAll(async () => {
  server = http.createServer((request, response) => {
    let body = '';
    calls += 1;
    request.on('data', (chunk: Buffer) => (body += chunk.toString('utf8')));
    request.on('end', () => reply(request, body, response));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = new URL(`http://127.0.0.1:${String((server.address() as AddressInfo).port)}/v1/embeddings`);
  folder = await mkdtemp(path.join(os.tmpdir(), 'countersign-embeddings-'));
});
beforeEach(() => {
  calls = 0;
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await rm(folder, { recursive: true });
});

type More = { key?: string; keyFile?: string; allowInner?: boolean; deadlineMs?: number; url?: URL };
const endpoint = (more: More = {}) =>
  embeddingsEndpoint({ url, model: 'small', key: undefined, keyFile: undefined, allowInner: true, deadlineMs: 2000, scale: { far: 0, near: 500 }, ...more });
const embed = async (texts: readonly string[], more: More = {}) => await (await endpoint(more)).embed(texts);
const says = (value: unknown, status = 200, headers = {}): Reply => (_request, _body, response) => void response.writeHead(status, headers).end(typeof value === 'string' ? value : JSON.stringify(value));
const vectors = (...of: readonly (readonly unknown[])[]) => ({ object: 'list', model: 'small-2026', data: of.map((embedding, index) => ({ object: 'embedding', index, embedding })), usage: { total_tokens: 3 } });

describe('an embeddings endpoint', () => {
  it('is told the texts and the model alone, with its key, and gives a vector of each', async () => {
    let seen: unknown;
    reply = (request, body, response) => {
      seen = { method: request.method, url: request.url, authorization: request.headers.authorization, body: JSON.parse(body) as unknown };
      response.end(JSON.stringify({ ...vectors([1, 0], [0.5, -0.5]), data: vectors([1, 0], [0.5, -0.5]).data.toReversed() }));
    };
    expect(await embed(['a', 'b'], { key: 'secret' })).toEqual({ version: 'small-2026', vectors: [Int8Array.of(127, 0), Int8Array.of(127, -127)] });
    expect(seen).toEqual({ method: 'POST', url: '/v1/embeddings', authorization: 'Bearer secret', body: { encoding_format: 'float', input: ['a', 'b'], model: 'small' } });
  });

  it('may have its key in a file, and without a readable one nothing starts', async () => {
    const keyFile = path.join(folder, 'key');
    await writeFile(keyFile, 'from-file\n');
    let seen: string | undefined;
    reply = (request, _body, response) => {
      seen = request.headers.authorization;
      response.end(JSON.stringify(vectors([1, 0])));
    };
    await embed(['a'], { keyFile });
    expect(seen).toBe('Bearer from-file');
    await writeFile(keyFile, ' \n');
    await expect(endpoint({ keyFile })).rejects.toThrow(/EMBEDDINGS_KEY_FILE/);
    await expect(endpoint({ keyFile: path.join(folder, 'none') })).rejects.toThrow(/none/);
  });

  it.each<[string, Reply, string]>([
    ['answers with an error', says('oops', 500), 'refused'],
    ['sends elsewhere', says('', 302, { location: '/elsewhere' }), 'refused'],
    ['keeps the method and sends elsewhere', says('', 307, { location: '/elsewhere' }), 'refused'],
    ['says nothing', says(''), 'malformed'],
    ['is no JSON', says('<html>'), 'malformed'],
    ['gives too few', says(vectors([1, 0])), 'malformed'],
    ['gives too many', says(vectors([1, 0], [1, 0], [1, 0])), 'malformed'],
    ['gives one place twice', says({ ...vectors(), data: [0, 0].map((index) => ({ index, embedding: [1, 0] })) }), 'malformed'],
    ['gives two lengths', says(vectors([1, 0], [1, 0, 0])), 'malformed'],
    ['gives not a number', says('{"model":"m","data":[{"index":0,"embedding":[NaN,1]},{"index":1,"embedding":[1,1]}]}'), 'malformed'],
    ['gives what is too large for a number', says('{"model":"m","data":[{"index":0,"embedding":[1e999,1]},{"index":1,"embedding":[1,1]}]}'), 'malformed'],
    ['gives null for a number', says(vectors([null, 1], [1, 1])), 'malformed'],
    ['gives texts', says(vectors(['1', '0'], ['1', '0'])), 'malformed'],
    ['gives no direction', says(vectors([0, 0], [1, 0])), 'malformed'],
    ['gives vectors too long', says(vectors(...[1, 2].map(() => Array.from({ length: 4097 }, () => 1)))), 'malformed'],
    ['does not say which model', says({ ...vectors([1, 0], [1, 0]), model: undefined }), 'malformed'],
    ['never ends', (_request, _body, response) => {
      const more = (): void => {
        if (!response.destroyed) response.write('x'.repeat(65_536), more);
      };
      more();
    }, 'too_large'],
    ['hangs up', (request) => request.socket.destroy(), 'unreachable'],
    ['hangs up in the middle', (request, _body, response) => response.write('{"model":', () => request.socket.destroy()), 'unreachable'],
  ])('that %s gives nothing', async (_what, how, failure) => {
    reply = how;
    expect(await embed(['a', 'b'])).toEqual({ failure });
    expect(calls).toBe(1);
  });

  it.each<[string, Reply]>([['is silent', () => undefined], ['goes on slowly', (_request, _body, response) => void response.write('{"model":')]])('that %s is late by its deadline', async (_what, how) => {
    reply = how;
    expect(await embed(['a'], { deadlineMs: 100 })).toEqual({ failure: 'late' });
  });

  it('that nobody listens at is unreachable, and one on an inner network is not asked unless that is allowed', async () => {
    reply = says(vectors([1, 0]));
    expect(await embed(['a'], { url: new URL('http://127.0.0.1:1/') })).toEqual({ failure: 'unreachable' });
    expect(await embed(['a'], { allowInner: false })).toEqual({ failure: 'unreachable' });
    expect(await embed(['a'], { allowInner: false, url: new URL(`https://localhost:${url.port}/`) })).toEqual({ failure: 'unreachable' });
    expect(calls).toBe(0);
  });
});

describe('what was asked before', () => {
  const echo = (version: () => string): Reply => (_request, body, response) => {
    const { input } = JSON.parse(body) as { input: string[] };
    response.end(JSON.stringify({ model: version(), data: input.map((text, index) => ({ index, embedding: [text.length, version().length] })) }));
  };

  it('is not asked again, and each text stands in its place', async () => {
    reply = echo(() => 'v');
    const remembered = rememberedEmbeddings(await endpoint());
    const first = await remembered.embed(['a', 'bbb']);
    expect(await remembered.embed(['a', 'bbb'])).toEqual(first);
    expect(await remembered.embed(['bbb', 'cc', 'bbb'])).toEqual({ version: 'v', vectors: [[3, 1], [2, 1], [3, 1]].map(([x = 0, y = 0]) => Int8Array.of(127, Math.round((y / x) * 127))) });
    expect(calls).toBe(2);
  });

  it('is asked again whole when another version answers', async () => {
    let version = 'v';
    reply = echo(() => version);
    const remembered = rememberedEmbeddings(await endpoint());
    await remembered.embed(['aaaa']);
    version = 'vv';
    expect(await remembered.embed(['aaaa', 'bbbb'])).toEqual({ version: 'vv', vectors: [Int8Array.of(127, 64), Int8Array.of(127, 64)] });
    expect(await remembered.embed(['aaaa', 'bbbb'])).toMatchObject({ version: 'vv' });
  });

  it('does not gather questions before an endpoint that is slow', async () => {
    reply = () => undefined;
    const remembered = rememberedEmbeddings(await endpoint({ deadlineMs: 300 }));
    const answers = await Promise.all(Array.from({ length: 40 }, (_, n) => remembered.embed([`text ${String(n)}`])));
    expect(answers.filter((answer) => 'failure' in answer && answer.failure === 'busy')).toHaveLength(8);
    expect(answers.filter((answer) => 'failure' in answer && answer.failure === 'late')).toHaveLength(32);
  });

  it('a failure is not kept', async () => {
    const remembered = rememberedEmbeddings(await endpoint());
    reply = says('', 500);
    expect(await remembered.embed(['a'])).toEqual({ failure: 'refused' });
    reply = echo(() => 'v');
    expect(await remembered.embed(['a'])).toMatchObject({ version: 'v' });
  });
});
