import type { Channel } from '@/lib/contracts/console/notices';

export const channelWords: { readonly [C in Channel]: string } = { webhook: 'webhook', slack: 'Slack', email: 'e-mail' };
