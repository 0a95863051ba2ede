import { once } from 'node:events';
import net, { type AddressInfo } from 'node:net';

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import type { NoticeText } from '@/lib/ports/notifier';

import { mailOf, smtpNotifier, type MailServer } from './smtp-notifier';

const held: NoticeText = {
  id: 'held_apr_1', kind: 'held', at: '2027-03-01T14:03:41.000Z', request: 'apr_1', tool: 'https://evil.example/x', impact: 'high', expires_at: '2027-03-01T14:33:41.000Z',
  link: 'https://countersign.example.com/approvals?item=apr_1',
};

/** A mail server that says what a test wants it to, a line for each line of the other side; `undefined`: nothing at all. */
let answer: (line: string) => string | undefined;
let lines: string[];
let greets: boolean;
let connections = 0;
const server = net.createServer((socket) => {
  connections++;
  let inMail = false;
  let rest = '';
  if (greets) socket.write('220 mail.example ESMTP\r\n');
  socket.on('error', () => undefined);
  socket.on('data', (chunk) => {
    rest += chunk.toString('utf8');
    for (let at = rest.indexOf('\r\n'); at >= 0; at = rest.indexOf('\r\n')) {
      const line = rest.slice(0, at);
      rest = rest.slice(at + 2);
      lines.push(line);
      if (inMail && line !== '.') continue;
      const said = inMail ? '250 taken' : answer(line);
      inMail = line === 'DATA' && said?.startsWith('354') === true;
      if (said !== undefined) socket.write(`${said}\r\n`);
    }
  });
});
const willing = (line: string): string => (line === 'DATA' ? '354 go on' : line === 'QUIT' ? '221 bye' : '250 well');

beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
beforeEach(() => {
  [lines, answer, greets, connections] = [[], willing, true, 0];
});
afterAll(() => server.close());

const through = (more: Partial<MailServer> = {}) =>
  smtpNotifier({ host: '127.0.0.1', port: (server.address() as AddressInfo).port, implicitTls: false, from: 'countersign@harbor.example', login: undefined, allowInner: true, deadlineMs: 5_000, ...more });

describe('mail about a request', () => {
  test('goes to the one person, from the one sender, in plain text', async () => {
    expect(await through().send(held, 'priya@harbor.example')).toEqual({ ok: true, value: null });
    expect(lines).toContain('MAIL FROM:<countersign@harbor.example>');
    expect(lines.filter((line) => line.startsWith('RCPT'))).toEqual(['RCPT TO:<priya@harbor.example>']);
    expect(lines).toContain('Auto-Submitted: auto-generated');
    expect(lines).toContain('Content-Type: text/plain; charset=utf-8');
    // Quoted-printable (RFC 2045): a long line goes on after "=", and "=" itself is written as its number.
    expect(lines.join('\n').replaceAll('=\n', '').replaceAll('=3D', '=')).toContain(held.link);
  });

  test('holds no address that an agent made up, and no line of its own', () => {
    const { subject, text } = mailOf(held, 'priya@harbor.example', 'countersign@harbor.example');
    expect(`${subject}${text}`).not.toContain('evil.example/x');
    expect(subject).not.toMatch(/[\r\n]/);
  });

  test.each<[string, Partial<MailServer>, () => void, RegExp]>([
    ['that is refused is told as a number', {}, () => (answer = (line) => (line.startsWith('RCPT') ? '550 secret words' : willing(line))), /^It answered 550\.$/],
    ['to a server that says nothing ends by the deadline', { deadlineMs: 300 }, () => (greets = false), /in time|reached/],
    ['to a server that never finishes ends by the deadline', { deadlineMs: 300 }, () => (answer = (line) => (line.startsWith('MAIL') ? undefined : willing(line))), /in time|reached/],
    ['to a server without TLS is not sent', { implicitTls: true }, () => undefined, /TLS|reached/],
    ['to nobody listening fails', { port: 1 }, () => undefined, /reached/],
  ])('%s', async (_what, more, prepare, words) => {
    prepare();
    const sent = await through(more).send(held, 'priya@harbor.example');
    expect(sent.ok ? '' : sent.error.detail).toMatch(words);
    expect(JSON.stringify(sent)).not.toMatch(/hunter2|secret words/);
  });

  test('gives no password to a server without TLS, even on an inner network', async () => {
    answer = (line) => (line.startsWith('EHLO') ? '250-mail.example\r\n250 AUTH PLAIN' : line.startsWith('STARTTLS') ? '502 no' : willing(line));
    expect(await through({ login: { user: 'desk', pass: 'hunter2' } }).send(held, 'priya@harbor.example')).toMatchObject({ ok: false });
    expect(lines.filter((line) => line.startsWith('AUTH') || line.startsWith('MAIL'))).toEqual([]);
  });

  test('goes to nobody by default where it would go to an inner network, or in the clear', async () => {
    for (const host of ['127.0.0.1', 'localhost', '[::1]', '10.0.0.1', '[::ffff:127.0.0.1]']) {
      const sent = await through({ host, allowInner: false }).send(held, 'priya@harbor.example');
      expect(sent.ok ? '' : sent.error.detail, host).toContain('nobody allowed');
    }
    expect(connections).toBe(0);
    expect(await through().send(held, null)).toMatchObject({ ok: false });
  });
});
