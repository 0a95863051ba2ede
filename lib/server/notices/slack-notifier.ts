import type { Notifier, NoticeText } from '@/lib/ports/notifier';

import type { ServiceAddress } from '../post-json';
import { plainNotice } from './plain-notice';
import { postNotice } from './post-notice';

/** Posts to an incoming webhook of Slack's form, which Mattermost and others take too: `text` alone, since not all of them know more. */
export const slackNotifier = (address: Omit<ServiceAddress, 'token'>): Notifier => ({
  channel: 'slack',
  send: (text) => postNotice(address, JSON.stringify({ text: slackText(text), unfurl_links: false, unfurl_media: false })),
});

/** Slack reads `&`, `<` and `>` as its own signs (docs.slack.dev, "Formatting message text"); nothing else here is markup. */
export function slackText(text: NoticeText): string {
  const { title, call } = plainNotice(text);
  return `${title.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')} <${text.link}|${call}>`;
}
