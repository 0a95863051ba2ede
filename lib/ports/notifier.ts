import type { ApprovalStatus } from '@/lib/approvals/approval-state';
import type { Channel } from '@/lib/contracts/console/notices';
import type { Impact } from '@/lib/shared/impact';
import type { Result } from '@/lib/shared/result';

/** What a message says, and all that it may say: no argument, no reason, nobody's words but the tool's name. */
export type NoticeText = {
  /** The same at every attempt, so that a receiver can drop what it has had. */
  readonly id: string;
  /** When it was made. */
  readonly at: string;
  /** Opens the item, or the queue, for whoever signs in and may see it. */
  readonly link: string;
} & (
  /** `escalated`: nobody had decided in time, so others are asked as well. */
  | { readonly kind: 'held' | 'escalated'; readonly request: string; readonly tool: string; readonly impact: Impact; readonly expires_at: string }
  | { readonly kind: 'ended'; readonly request: string; readonly tool: string; readonly impact: Impact; readonly outcome: Exclude<ApprovalStatus, 'pending'> }
  /** So many more than are told one by one. */
  | { readonly kind: 'more'; readonly count: number }
  /** An admin asks whether messages arrive. */
  | { readonly kind: 'test' }
);

/** Delivers messages by one channel. Settles within its own deadline; success means that the other side has taken the message. */
export type Notifier = {
  readonly channel: Channel;
  /** `address`: whose e-mail; null where the channel is one place. Failures: `unavailable`, with a sentence that names no secret. */
  readonly send: (text: NoticeText, address: string | null) => Promise<Result<null>>;
};
