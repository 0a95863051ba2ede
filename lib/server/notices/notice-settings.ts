import { z } from 'zod';

import type { ServiceAddress } from '../post-json';
import type { MailServer } from './smtp-notifier';

type Address = Omit<ServiceAddress, 'token'>;

/** Where people are told of held requests; each part undefined where it is not configured, and then nothing goes there. */
export type NoticeSettings = {
  /** `secrets`: raw HMAC keys. The first is the one that stays; a second is of a rotation, and both sign. */
  readonly webhook: { readonly address: Address; readonly secrets: readonly Buffer[] } | undefined;
  readonly slack: Address | undefined;
  readonly mail: MailServer | undefined;
  readonly ends: boolean;
};

const address = z.url({ protocol: /^https?$/ }).optional();
const yesOrNo = z.enum(['true', 'false']).optional();
const deadline = z.coerce.number().int().min(50).max(30_000).optional();

export const noticeFields = {
  NOTIFY_WEBHOOK_URL: address,
  NOTIFY_WEBHOOK_SECRET: z.string().refine((text) => secretsOf(text) !== undefined, 'must be whsec_ and 24 to 64 bytes in base64, or two of them with a blank between').optional(),
  NOTIFY_WEBHOOK_ALLOW_PRIVATE: yesOrNo,
  NOTIFY_WEBHOOK_DEADLINE_MS: deadline,
  NOTIFY_SLACK_URL: address,
  NOTIFY_SLACK_ALLOW_PRIVATE: yesOrNo,
  NOTIFY_SLACK_DEADLINE_MS: deadline,
  NOTIFY_SMTP_URL: z.url({ protocol: /^smtps?$/ }).optional(),
  NOTIFY_SMTP_FROM: z.email().optional(),
  NOTIFY_SMTP_USER: z.string().min(1).optional(),
  NOTIFY_SMTP_PASSWORD: z.string().min(1).optional(),
  NOTIFY_SMTP_ALLOW_PRIVATE: yesOrNo,
  NOTIFY_SMTP_DEADLINE_MS: deadline,
  NOTIFY_ENDS: yesOrNo,
};

type Found = z.infer<z.ZodObject<typeof noticeFields>>;

/** Half a configuration is a fault by name: somebody counts on being told. */
export function checkNotices(found: Found, fault: (name: string, message: string) => void): void {
  for (const group of ['NOTIFY_WEBHOOK', 'NOTIFY_SLACK', 'NOTIFY_SMTP'] as const) {
    const url = found[`${group}_URL`];
    if (url === undefined) {
      for (const [name, value] of Object.entries(found)) if (name.startsWith(`${group}_`) && value !== undefined) fault(name, `means nothing without ${group}_URL`);
      continue;
    }
    const { protocol, username, password, pathname } = new URL(url);
    if (group === 'NOTIFY_SMTP' && !URL.canParse(`http://${new URL(url).host}`)) fault('NOTIFY_SMTP_URL', 'must name a host');
    if (group === 'NOTIFY_SMTP' && pathname !== '' && pathname !== '/') fault('NOTIFY_SMTP_URL', 'must be a host and a port');
    if (username !== '' || password !== '') fault(`${group}_URL`, 'must not hold a password');
    if (protocol === 'http:' && found[`${group}_ALLOW_PRIVATE`] !== 'true') fault(`${group}_URL`, `must be https, or set ${group}_ALLOW_PRIVATE=true for a server of your own network`);
  }
  if (found.NOTIFY_SMTP_URL !== undefined && found.NOTIFY_SMTP_FROM === undefined) fault('NOTIFY_SMTP_FROM', 'must be set with NOTIFY_SMTP_URL');
  for (const [one, other] of [['USER', 'PASSWORD'], ['PASSWORD', 'USER']] as const) {
    if (found[`NOTIFY_SMTP_${one}`] !== undefined && found[`NOTIFY_SMTP_${other}`] === undefined) fault(`NOTIFY_SMTP_${other}`, `must be set with NOTIFY_SMTP_${one}`);
  }
  if (found.NOTIFY_WEBHOOK_URL !== undefined && found.NOTIFY_WEBHOOK_SECRET === undefined) fault('NOTIFY_WEBHOOK_SECRET', 'must be set with NOTIFY_WEBHOOK_URL');
  if (found.NOTIFY_ENDS !== undefined && found.NOTIFY_WEBHOOK_URL === undefined && found.NOTIFY_SLACK_URL === undefined) fault('NOTIFY_ENDS', 'means nothing without NOTIFY_WEBHOOK_URL or NOTIFY_SLACK_URL');
}

/** Of settings that were checked. */
export function noticeSettings(found: Found): NoticeSettings {
  const addressOf = (group: 'NOTIFY_WEBHOOK' | 'NOTIFY_SLACK'): Address | undefined => {
    const url = found[`${group}_URL`];
    return url === undefined ? undefined : { url: new URL(url), allowInner: found[`${group}_ALLOW_PRIVATE`] === 'true', deadlineMs: found[`${group}_DEADLINE_MS`] ?? 5000 };
  };
  const webhook = addressOf('NOTIFY_WEBHOOK');
  const secrets = secretsOf(found.NOTIFY_WEBHOOK_SECRET ?? '');
  return { webhook: webhook && secrets && { address: webhook, secrets }, slack: addressOf('NOTIFY_SLACK'), mail: mailServer(found), ends: found.NOTIFY_ENDS === 'true' };
}

function mailServer(found: Found): MailServer | undefined {
  const { NOTIFY_SMTP_URL, NOTIFY_SMTP_FROM: from, NOTIFY_SMTP_USER: user, NOTIFY_SMTP_PASSWORD: pass } = found;
  if (NOTIFY_SMTP_URL === undefined || from === undefined) return undefined;
  const url = new URL(NOTIFY_SMTP_URL);
  const implicitTls = url.protocol === 'smtps:';
  return {
    // Only of http and its like are hosts read as numbers, whatever they are written in: 0177.0.0.1 is this machine.
    host: new URL(`http://${url.host}`).hostname, port: url.port === '' ? (implicitTls ? 465 : 587) : Number(url.port), implicitTls, from,
    login: user !== undefined && pass !== undefined ? { user, pass } : undefined,
    allowInner: found.NOTIFY_SMTP_ALLOW_PRIVATE === 'true', deadlineMs: found.NOTIFY_SMTP_DEADLINE_MS ?? 10_000,
  };
}

/** One or two secrets in the form of Standard Webhooks; undefined where one is none. */
function secretsOf(text: string): readonly Buffer[] | undefined {
  const parts = text.split(' ');
  const secrets = parts.flatMap((part) => {
    const [, base64] = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(part) ?? [];
    const bytes = Buffer.from(base64 ?? '', 'base64');
    return bytes.length >= 24 && bytes.length <= 64 && bytes.toString('base64').replace(/=+$/, '') === base64?.replace(/=+$/, '') ? [bytes] : [];
  });
  return secrets.length === parts.length && secrets.length <= 2 ? secrets : undefined;
}
