import { z } from 'zod';

import { id } from './fields';
import type { ReceiptRow } from './receipts';

/** Where a page of a session's history ends: the position in the log and the step of the context that it has not reached. */
const cursor = z.string().regex(/^\d{1,15}\.\d{1,9}$/, { error: 'Give `older` or `newer` of a page of this session.' });

/** With neither cursor: what lies around the receipt at `around`. */
export const sessionTimelineQuery = z.strictObject({
  id: id('session'),
  around: z.coerce.number().int().min(0).optional(),
  older: cursor.optional(),
  newer: cursor.optional(),
  limit: z.coerce.number().int().min(1).max(100).default(20),
}).refine(({ around, older, newer }) => [around, older, newer].filter((given) => given !== undefined).length === 1, { error: 'Give exactly one of around, older and newer.' });
export type SessionTimelineQuery = z.infer<typeof sessionTimelineQuery>;

/** A step of the context. `text` null: erased. `untrusted`: nobody vouched for it. */
export type TimelineEntry = {
  readonly of: 'context';
  readonly seq: number;
  readonly kind: string;
  readonly at: string;
  readonly text: string | null;
  readonly untrusted: boolean;
  readonly labels: readonly string[];
};

export type TimelineItem = TimelineEntry | { readonly of: 'receipt'; readonly at: string; readonly row: ReceiptRow };

export type SessionTimelineView = {
  /** Oldest first. */
  readonly items: readonly TimelineItem[];
  /** Where to go on; null where the session begins, or as far as it has come. */
  readonly older: string | null;
  readonly newer: string | null;
};
