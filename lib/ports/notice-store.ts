import type { Channel, ChannelState } from '@/lib/contracts/console/notices';
import type { ApprovalId, PersonId } from '@/lib/shared/ids';

import type { NoticeText } from './notifier';

/** What a request's row brought about, told to nobody yet. `ApprovalStore` writes it in the transaction that holds, escalates or ends the request. */
export type Notice = { readonly approval: ApprovalId; readonly kind: 'held' | 'escalated' | 'ended'; readonly at: string };

/** Recipient: whose e-mail; null where the channel is one place. */
export type NoticePlace = { readonly channel: Channel; readonly recipient: PersonId | null };

export type NewMessage = NoticePlace & {
  readonly id: string;
  readonly kind: NoticeText['kind'];
  readonly approval: ApprovalId | null;
};

export type WaitingMessage = NewMessage & {
  /** How many notices it stands for. */
  readonly count: number;
  readonly made_at: string;
};

export type ClaimedPlace = NoticePlace & {
  /** Failed attempts since the last that arrived. */
  readonly failures: number;
  /** Messages that went there in the span that is running. */
  readonly sent: number;
};

/**
 * The outbox. A message is at exactly one place, and one process at a time delivers there, under a lease that outlives it by a minute at most. A
 * crash between delivering and saying so delivers once more, under the same id.
 */
export type NoticeStore = {
  /** Oldest first. */
  readonly written: (limit: number) => Promise<readonly Notice[]>;
  /** Puts messages in the place of notices: all of them or none, and once, however many processes try. */
  readonly spread: (notice: Notice, messages: readonly NewMessage[]) => Promise<void>;
  /** Puts messages that no notice stands for. */
  readonly put: (messages: readonly NewMessage[]) => Promise<void>;
  /** Drops notices of more than a day ago: no request waits that long. */
  readonly forgetOld: () => Promise<void>;
  /** A place where messages are due, for this worker alone. A span that is over begins anew. */
  readonly claim: (worker: string, among: readonly Channel[], spanMs: { readonly [C in Channel]: number }) => Promise<ClaimedPlace | undefined>;
  /** False: it is this worker's no longer, or taken by nobody. */
  readonly renew: (place: NoticePlace, worker: string) => Promise<boolean>;
  /** Lets go of messages about requests that wait no longer, and gives up those that are a day old or were tried too often. How many were given up. */
  readonly tidy: (place: NoticePlace) => Promise<number>;
  /** Least tried first, then oldest. */
  readonly waiting: (place: NoticePlace, limit: number) => Promise<readonly WaitingMessage[]>;
  /** Makes all that waits there one message with this id. */
  readonly gather: (place: NoticePlace, id: string) => Promise<void>;
  /** The message is there: it goes, and so does the place's fault. */
  readonly arrived: (place: NoticePlace, id: string) => Promise<void>;
  /** Nothing goes there before the wait is over. */
  readonly failed: (place: NoticePlace, id: string, fault: string, waitMs: number) => Promise<void>;
  /** Ends the lease. With `untilNextSpan` nothing goes there before the next span begins. */
  readonly release: (place: NoticePlace, worker: string, untilNextSpan?: number) => Promise<void>;
  /** Whoever it was is told of nothing any more. */
  readonly removePlace: (place: NoticePlace) => Promise<void>;
  readonly states: () => Promise<readonly ChannelState[]>;
};
