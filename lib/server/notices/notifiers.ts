import type { Notifier } from '@/lib/ports/notifier';

import type { NoticeSettings } from './notice-settings';
import { slackNotifier } from './slack-notifier';
import { smtpNotifier } from './smtp-notifier';
import { webhookNotifier } from './webhook-notifier';

/** One a channel that is configured. */
export const notifiersOf = ({ webhook, slack, mail }: NoticeSettings): readonly Notifier[] => [
  ...(webhook ? [webhookNotifier(webhook)] : []),
  ...(slack ? [slackNotifier(slack)] : []),
  ...(mail ? [smtpNotifier(mail)] : []),
];
