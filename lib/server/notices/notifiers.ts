import type { Notifier } from '@/lib/ports/notifier';

import type { NoticeSettings } from './notice-settings';
import { slackNotifier } from './slack-notifier';
import { webhookNotifier } from './webhook-notifier';

/** One a channel that is configured. */
export const notifiersOf = ({ webhook, slack }: NoticeSettings): readonly Notifier[] => [
  ...(webhook ? [webhookNotifier(webhook)] : []),
  ...(slack ? [slackNotifier(slack)] : []),
];
