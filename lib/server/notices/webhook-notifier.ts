import { createHmac } from 'node:crypto';

import type { Notifier, NoticeText } from '@/lib/ports/notifier';
import type { JsonObject } from '@/lib/shared/json';

import type { NoticeSettings } from './notice-settings';
import { postNotice } from './post-notice';

/**
 * Posts messages as JSON, signed with HMAC-SHA-256 as Standard Webhooks 1.0 has it (standardwebhooks.com): `webhook-signature` is over id, time of the
 * attempt and the body's bytes. README.md tells how a receiver checks it.
 */
export function webhookNotifier({ address, secrets }: NonNullable<NoticeSettings['webhook']>, nowMs: () => number = Date.now): Notifier {
  return {
    channel: 'webhook',
    send: (text) => {
      const body = JSON.stringify(webhookBody(text));
      return postNotice(address, body, { ...webhookHeaders(text.id, Math.floor(nowMs() / 1000), body, secrets) });
    },
  };
}

/** `at`: Unix seconds. */
export const webhookHeaders = (id: string, at: number, body: string, secrets: readonly Buffer[]): Readonly<Record<string, string>> => ({
  'webhook-id': id,
  'webhook-timestamp': String(at),
  'webhook-signature': secrets.map((secret) => `v1,${createHmac('sha256', secret).update(`${id}.${String(at)}.${body}`).digest('base64')}`).join(' '),
});

export function webhookBody(text: NoticeText): JsonObject {
  const { at: timestamp, link: url } = text;
  switch (text.kind) {
    case 'held':
    case 'escalated':
      return { type: `request.${text.kind}`, timestamp, data: { request: text.request, tool: text.tool, impact: text.impact, expires_at: text.expires_at, url } };
    case 'ended':
      return { type: 'request.ended', timestamp, data: { request: text.request, tool: text.tool, impact: text.impact, outcome: text.outcome, url } };
    case 'more':
      return { type: 'requests.more', timestamp, data: { count: text.count, url } };
    case 'test':
      return { type: 'test', timestamp, data: { url } };
  }
}
