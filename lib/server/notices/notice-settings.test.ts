import { describe, expect, test } from 'vitest';

import { parseEnvironment } from '../env';

const [secret, other] = [32, 24].map((length) => Buffer.alloc(length, 7));
const spelled = (bytes = Buffer.alloc(0)) => `whsec_${bytes.toString('base64')}`;
const webhook = { NOTIFY_WEBHOOK_URL: 'https://watch.example/in', NOTIFY_WEBHOOK_SECRET: spelled(secret) };
const mail = { NOTIFY_SMTP_URL: 'smtps://mail.example', NOTIFY_SMTP_FROM: 'countersign@harbor.example' };

describe('settings of notifications', () => {
  test('are all unset by default: nothing goes out', () => {
    expect(parseEnvironment({}).notices).toEqual({ webhook: undefined, slack: undefined, mail: undefined, ends: false });
  });

  test('say where messages go, and with which secrets they are signed', () => {
    const slack = { NOTIFY_SLACK_URL: 'http://10.0.0.3/hooks/x', NOTIFY_SLACK_ALLOW_PRIVATE: 'true', NOTIFY_SLACK_DEADLINE_MS: '900' };
    expect(parseEnvironment({ ...webhook, ...slack, NOTIFY_WEBHOOK_SECRET: `${spelled(secret)} ${spelled(other)}`, NOTIFY_ENDS: 'true' }).notices).toEqual({
      webhook: { address: { url: new URL('https://watch.example/in'), allowInner: false, deadlineMs: 5000 }, secrets: [secret, other] },
      slack: { url: new URL('http://10.0.0.3/hooks/x'), allowInner: true, deadlineMs: 900 },
      mail: undefined,
      ends: true,
    });
  });

  test('say which server takes mail, and how', () => {
    expect(parseEnvironment({ ...mail, NOTIFY_SMTP_USER: 'desk', NOTIFY_SMTP_PASSWORD: 'hunter2' }).notices.mail).toEqual({
      host: 'mail.example', port: 465, implicitTls: true, from: 'countersign@harbor.example', login: { user: 'desk', pass: 'hunter2' }, allowInner: false, deadlineMs: 10_000,
    });
    expect(parseEnvironment({ ...mail, NOTIFY_SMTP_URL: 'smtp://0177.0.0.1' }).notices.mail).toMatchObject({ host: '127.0.0.1', port: 587, implicitTls: false });
    expect(parseEnvironment({ ...mail, NOTIFY_SMTP_URL: 'smtp://[::1]:25' }).notices.mail).toMatchObject({ host: '[::1]', port: 25 });
  });

  test.each<[string, Record<string, string>, string]>([
    ['a webhook without a secret', { ...webhook, NOTIFY_WEBHOOK_SECRET: '' }, 'NOTIFY_WEBHOOK_SECRET'],
    ['a secret that can be guessed', { ...webhook, NOTIFY_WEBHOOK_SECRET: spelled(Buffer.from('hunter2')) }, 'NOTIFY_WEBHOOK_SECRET'],
    ['a secret that is not base64', { ...webhook, NOTIFY_WEBHOOK_SECRET: `whsec_hunter2${'!'.repeat(40)}` }, 'NOTIFY_WEBHOOK_SECRET'],
    ['three secrets', { ...webhook, NOTIFY_WEBHOOK_SECRET: [secret, secret, other].map(spelled).join(' ') }, 'NOTIFY_WEBHOOK_SECRET'],
    ['a secret of no webhook', { NOTIFY_WEBHOOK_SECRET: spelled(secret) }, 'NOTIFY_WEBHOOK_SECRET'],
    ['a webhook without encryption', { ...webhook, NOTIFY_WEBHOOK_URL: 'http://watch.example/in' }, 'NOTIFY_WEBHOOK_URL'],
    ['a password in an address', { ...webhook, NOTIFY_WEBHOOK_URL: 'https://user:hunter2@watch.example/in' }, 'NOTIFY_WEBHOOK_URL'],
    ['another protocol', { NOTIFY_SLACK_URL: 'file:///etc/passwd' }, 'NOTIFY_SLACK_URL'],
    ['a private network that is nowhere', { NOTIFY_SLACK_ALLOW_PRIVATE: 'true' }, 'NOTIFY_SLACK_ALLOW_PRIVATE'],
    ['mail from nobody', { NOTIFY_SMTP_URL: 'smtps://mail.example' }, 'NOTIFY_SMTP_FROM'],
    ['mail to another protocol', { ...mail, NOTIFY_SMTP_URL: 'https://mail.example' }, 'NOTIFY_SMTP_URL'],
    ['a mail server with a path', { ...mail, NOTIFY_SMTP_URL: 'smtps://mail.example/x' }, 'NOTIFY_SMTP_URL'],
    ['a mail server with a password in it', { ...mail, NOTIFY_SMTP_URL: 'smtps://user:hunter2@mail.example' }, 'NOTIFY_SMTP_URL'],
    ['a name without a password', { ...mail, NOTIFY_SMTP_USER: 'desk' }, 'NOTIFY_SMTP_PASSWORD'],
    ['a password without a name', { ...mail, NOTIFY_SMTP_PASSWORD: 'hunter2' }, 'NOTIFY_SMTP_USER'],
    ['ends that nobody hears', { NOTIFY_ENDS: 'true' }, 'NOTIFY_ENDS'],
  ])('%s is refused by name, and never repeated', (_what, source, name) => {
    expect(() => parseEnvironment(source)).toThrow(name);
    expect(() => parseEnvironment(source)).not.toThrow('hunter2');
  });
});
