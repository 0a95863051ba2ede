import { createHmac, timingSafeEqual } from 'node:crypto';
import type dns from 'node:dns';
import type { LookupAddress } from 'node:dns';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';

import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';

import type { Notifier, NoticeText } from '@/lib/ports/notifier';

import { noticeSettings } from './notice-settings';
import { notifiersOf } from './notifiers';
import { slackText } from './slack-notifier';
import { webhookBody, webhookHeaders } from './webhook-notifier';

/** What names resolve to, for the tests that ask; every other name is left to the machine. */
const names = vi.hoisted(() => new Map<string, readonly LookupAddress[]>());
vi.mock('node:dns', async (original) => {
  const real = await original<typeof dns>();
  const lookup = (name: string, options: object, answer: (error: Error | null, found: readonly LookupAddress[]) => void): void => {
    const found = names.get(name);
    if (found) answer(null, found);
    else real.lookup(name, { ...options, all: true }, answer);
  };
  return { ...real, default: { ...real, lookup }, lookup };
});

let server: Server;
let port: number;
let reply: { status: number; headers?: Record<string, string> };
let connections: number;
const seen: { headers: IncomingHttpHeaders; body: string; url: string | undefined }[] = [];

beforeAll(async () => {
  server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      seen.push({ headers: request.headers, body: Buffer.concat(chunks).toString('utf8'), url: request.url });
      response.writeHead(reply.status, reply.headers ?? {}).end();
    });
  }).listen(0, '127.0.0.1');
  server.on('connection', () => connections++);
  await once(server, 'listening');
  ({ port } = server.address() as AddressInfo);
});
beforeEach(() => {
  reply = { status: 204 };
  connections = 0;
  seen.length = 0;
  names.clear();
});
afterAll(() => server.close());

const request = 'apr_00000000000000000000';
const held: NoticeText = {
  id: `held_${request}`, kind: 'held', at: '2027-03-01T14:03:41.000Z', request, tool: 'database', impact: 'high', expires_at: '2027-03-01T14:33:41.000Z',
  link: `https://countersign.example.com/approvals?item=${request}`,
};
const secret = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;

function notifier(url: string, allow = true): Notifier {
  const [found] = notifiersOf(noticeSettings({ NOTIFY_WEBHOOK_URL: url, NOTIFY_WEBHOOK_SECRET: secret, NOTIFY_WEBHOOK_ALLOW_PRIVATE: allow ? 'true' : 'false', NOTIFY_WEBHOOK_DEADLINE_MS: 5000 }));
  if (!found) throw new Error('No notifier.');
  return found;
}

/** As README.md tells receivers to do it. */
function verifies(spelled: string, headers: Readonly<Record<string, unknown>>, body: string): boolean {
  const key = Buffer.from(spelled.replace('whsec_', ''), 'base64');
  const wanted = createHmac('sha256', key).update(`${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.${body}`).digest();
  return String(headers['webhook-signature']).split(' ').some((one) => {
    const given = Buffer.from(one.replace('v1,', ''), 'base64');
    return given.length === wanted.length && timingSafeEqual(given, wanted);
  });
}

describe('a webhook', () => {
  test('is signed as the example of Standard Webhooks', () => {
    const headers = webhookHeaders('msg_27UH4WbU6Z5A5EzD8u03UvzRbpk', 1_649_367_553, '{"email":"test@example.com","username":"test_user"}', [Buffer.from('C2FVsBQIhrscChlQIMV+b5sSYspob7oD', 'base64')]);
    expect(headers['webhook-signature']).toBe('v1,tZ1I4/hDygAJgO5TYxiSd6Sd0kDW6hPenDe+bTa3Kkw=');
  });

  test('is, signature and body, what webhook-vector.json shows receivers', async () => {
    const vector = z.object({ secret: z.string(), headers: z.record(z.string(), z.string()), body: z.string() })
      .parse(JSON.parse(await readFile(path.join(import.meta.dirname, 'webhook-vector.json'), 'utf8')));
    expect(JSON.stringify(webhookBody(held))).toBe(vector.body);
    const settings = noticeSettings({ NOTIFY_WEBHOOK_URL: 'https://watch.example/', NOTIFY_WEBHOOK_SECRET: vector.secret });
    expect(webhookHeaders(held.id, Number(vector.headers['webhook-timestamp']), vector.body, settings.webhook?.secrets ?? [])).toEqual(vector.headers);
    expect(verifies(vector.secret, vector.headers, vector.body)).toBe(true);
    expect(verifies(vector.secret, vector.headers, vector.body.replace('high', 'low!'))).toBe(false);
  });

  test('arrives with a signature that verifies, under two secrets during a rotation', async () => {
    const next = `whsec_${Buffer.alloc(24, 2).toString('base64')}`;
    const [both] = notifiersOf(noticeSettings({ NOTIFY_WEBHOOK_URL: `http://127.0.0.1:${String(port)}/in?x=1`, NOTIFY_WEBHOOK_ALLOW_PRIVATE: 'true', NOTIFY_WEBHOOK_SECRET: `${secret} ${next}` }));
    expect(await both?.send(held, null)).toEqual({ ok: true, value: null });
    const [{ headers = {}, body = '', url = '' } = {}] = seen;
    expect([verifies(secret, headers, body), verifies(next, headers, body), verifies(`whsec_${Buffer.alloc(24, 3).toString('base64')}`, headers, body)]).toEqual([true, true, false]);
    expect(Math.abs(Number(headers['webhook-timestamp']) * 1000 - Date.now())).toBeLessThan(60_000);
    expect([url, headers['webhook-id'], headers['content-type'], headers.authorization]).toEqual(['/in?x=1', held.id, 'application/json', undefined]);
  });

  test.each([[301], [302], [307], [308]])('that answers %d is not followed', async (status) => {
    reply = { status, headers: { location: `http://127.0.0.1:${String(port)}/elsewhere` } };
    expect(await notifier(`http://127.0.0.1:${String(port)}/in`).send(held, null)).toMatchObject({ ok: false, error: { detail: `It answered ${String(status)}.` } });
    expect(seen.map(({ url }) => url)).toEqual(['/in']);
  });
});

describe('nothing goes to an inner address that nobody allowed', () => {
  test.each([
    ['127.0.0.1'], ['127.1'], ['0x7f000001'], ['2130706433'], ['017700000001'], ['localhost'], ['localhost.'], ['a.localhost'], ['0.0.0.0'], ['10.1.2.3'], ['100.64.0.1'], ['169.254.169.254'],
    ['172.16.0.1'], ['172.31.255.255'], ['192.168.1.1'], ['192.0.0.192'], ['198.18.0.1'], ['224.0.0.1'], ['255.255.255.255'], ['metadata.google.internal'], ['printer.local'],
    ['[::1]'], ['[::]'], ['[::ffff:127.0.0.1]'], ['[::ffff:10.0.0.1]'], ['[::127.0.0.1]'], ['[64:ff9b::7f00:1]'], ['[2002:7f00:1::]'], ['[fc00::1]'], ['[fd00:ec2::254]'], ['[fe80::1]'], ['[fec0::1]'], ['[ff02::1]'],
  ])('as written: %s', async (host) => {
    expect(await notifier(`https://${host}:${String(port)}/`, false).send(held, null)).toMatchObject({ ok: false, error: { detail: expect.stringContaining('nobody allowed that') as string } });
    expect(connections).toBe(0);
  });

  test.each<[string, readonly string[]]>([
    ['loopback', ['127.0.0.1']], ['loopback in IPv6', ['::1']], ['a private network', ['10.0.0.8']], ['the metadata service', ['169.254.169.254']], ['link-local', ['fe80::1']], ['unique local', ['fd12::1']],
    ['IPv4 mapped into IPv6', ['::ffff:127.0.0.1']], ['mapped, in hexadecimal', ['::ffff:7f00:1']], ['NAT64 of loopback', ['64:ff9b::7f00:1']], ['a public and an inner one', ['93.184.216.34', '127.0.0.1']],
  ])('by a name that resolves to %s', async (_what, addresses) => {
    names.set('watch.example', addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })));
    expect(await notifier(`https://watch.example:${String(port)}/`, false).send(held, null)).toMatchObject({ ok: false, error: { detail: 'It could not be reached.' } });
    expect(connections).toBe(0);
  });

  test('while what is allowed arrives, and is counted: the tables above would see a connection', async () => {
    expect(await notifier(`http://localhost:${String(port)}/`).send(held, null)).toEqual({ ok: true, value: null });
    expect(connections).toBe(1);
  });
});

describe('a message for people', () => {
  test('says tool, impact, until when, and where', () => {
    expect(slackText(held)).toBe(`database, high impact: held for a person until 2027-03-01 14:33 UTC. <${held.link}|Open the request>`);
    expect(slackText({ id: 'ended_x', kind: 'ended', at: held.at, request, tool: 'mcp:crm', impact: 'low', outcome: 'expired', link: held.link })).toBe(`mcp:crm, low impact: expired. <${held.link}|Open the request>`);
    expect(slackText({ id: 'more_x', kind: 'more', at: held.at, count: 25, link: 'https://c.example/approvals' })).toBe('25 more than are told one by one. <https://c.example/approvals|Open what waits>');
  });

  test('makes no address of a tool that an agent named like one', () => {
    expect(slackText({ ...held, tool: 'https://evil.example/login' })).toMatch(/^https\[:\]\/\/evil\[\.\]example\/login, high/);
  });
});
