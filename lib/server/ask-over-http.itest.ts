import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { askOverHttp } from './ask-over-http';

type Reply = (request: http.IncomingMessage, body: string, response: http.ServerResponse) => void;

let reply: Reply = () => undefined;
let server: http.Server;
let url: URL;
beforeAll(async () => {
  server = http.createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString('utf8')));
    request.on('end', () => reply(request, body, response));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = new URL(`http://127.0.0.1:${String((server.address() as AddressInfo).port)}/attributes`);
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const question = { source: 'ip:records', subject: 'database:orders', name: 'owner' };
const ask = (more: { allowInner?: boolean; deadlineMs?: number; url?: URL; token?: string } = {}) =>
  askOverHttp({ url, token: undefined, allowInner: true, deadlineMs: 2000, ...more }, question);
const answering = (status: number, text: string, headers = {}): Reply => (_request, _body, response) => void response.writeHead(status, headers).end(text);

describe('an information point', () => {
  it('is told the subject and the name alone, with its token', async () => {
    let seen: unknown;
    reply = (request, body, response) => {
      seen = { method: request.method, authorization: request.headers.authorization, body: JSON.parse(body) as unknown };
      response.end('{"value":"ada@corp.example","observed_at":"2027-03-01T14:00:00.000Z"}');
    };
    expect(await ask({ token: 'secret' })).toEqual({ kind: 'supplied', value: 'ada@corp.example', observed_at: '2027-03-01T14:00:00.000Z' });
    expect(seen).toEqual({ method: 'POST', authorization: 'Bearer secret', body: { subject: 'database:orders', name: 'owner' } });
  });

  it.each([['{"unavailable":true}'], ['{"value":{"unavailable":true}}']])('that says %s settles that there is none', async (text) => {
    reply = answering(200, text);
    expect(await ask()).toEqual({ kind: 'unavailable' });
  });

  it.each<[string, Reply, RegExp]>([
    ['answers with an error', answering(500, '{"value":"x"}'), /answered 500/],
    ['sends elsewhere', answering(302, '', { location: 'http://169.254.169.254/' }), /answered 302/],
    ['says nothing', answering(200, ''), /not JSON/],
    ['names a key twice', answering(200, '{"value":"a","value":"b"}'), /not JSON/],
    ['says something else', answering(200, '{"owner":"ada"}'), /neither/],
    ['says too much', answering(200, JSON.stringify({ value: 'x'.repeat(70_000) })), /over 65536 bytes/],
    ['hangs up', (request) => request.socket.destroy(), /could not be reached/],
  ])('that %s has failed', async (_what, how, detail) => {
    reply = how;
    expect(await ask()).toEqual({ kind: 'failed', detail: expect.stringMatching(detail) as string });
  });

  it('that does not answer in time has failed, however slowly it goes on', async () => {
    reply = (_request, _body, response) => void response.write('{"value":');
    expect(await ask({ deadlineMs: 150 })).toEqual({ kind: 'failed', detail: 'It did not answer within 150 ms.' });
  });

  it.each([
    ['speaks plain HTTP', 'http://records.example/'], ['is this machine', 'https://127.0.0.1/'], ['is the metadata service', 'https://169.254.169.254/'],
    ['is this machine in other words', 'https://[::ffff:127.0.0.1]/'], ['is this machine by name', 'https://localhost/'],
  ])('that %s is not asked unless that is allowed', async (_what, address) => {
    let asked = false;
    reply = () => (asked = true);
    expect((await ask({ allowInner: false, url: new URL(address) })).kind).toBe('failed');
    expect(asked).toBe(false);
  });
});
