import { z } from 'zod';

export const channels = ['webhook', 'slack', 'email'] as const;
/** By which people are told of held requests. */
export type Channel = (typeof channels)[number];

/** How deliveries by a channel go; times are the database's. */
export type ChannelState = {
  readonly channel: Channel;
  readonly waiting: number;
  /** Since when some place has taken nothing, and what the last attempt there met. */
  readonly failing: { readonly since: string; readonly fault: string } | null;
  readonly last_sent_at: string | null;
  /** Messages that were given up, ever. */
  readonly given_up: number;
};

/** One entry a configured channel. */
export type NoticesView = { readonly channels: readonly ChannelState[] };

export const testNoticeInput = z.strictObject({ channel: z.enum(channels) });
