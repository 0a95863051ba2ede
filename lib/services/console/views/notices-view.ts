import type { NoticesView } from '@/lib/contracts/console/notices';

import type { ConsoleParts } from '../console-parts';

/** How messages about held requests go, by each channel that this console is configured with. */
export async function noticesView({ channels, notices }: Pick<ConsoleParts, 'channels' | 'notices'>): Promise<NoticesView> {
  if (channels.length === 0) return { channels: [] };
  const states = new Map((await notices.states()).map((state) => [state.channel, state]));
  return { channels: channels.map((channel) => states.get(channel) ?? { channel, waiting: 0, failing: null, last_sent_at: null, given_up: 0 }) };
}
