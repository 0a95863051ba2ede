import { z } from 'zod';

import type { LabelWithOrigins } from '@/lib/context/label-origins';
import type { Digest, ReceiptId, SessionId } from '@/lib/shared/ids';

import { envelope, id } from './fields';

/** A signed lowering's envelope; what is lowered stands in the statement. */
export const lowerLabelInput = z.strictObject({ session: id('session'), envelope: envelope(128 * 1024) });
export type LowerLabelInput = z.output<typeof lowerLabelInput>;

export type LoweredLabel = { readonly receipt: ReceiptId; readonly label: string; readonly to: string | null };

export const sessionLabelsQuery = z.strictObject({ id: id('session') });

/** The labels that a session carries now, with where each came from, and the state that a lowering would rest on. */
export type SessionLabelsView = {
  readonly session: SessionId;
  readonly head: Digest;
  readonly seq: number;
  /** Where a person lowered it, `where` is their name. */
  readonly labels: readonly LabelWithOrigins[];
  /** Why the viewer may lower none; null when they may. */
  readonly obstacle: string | null;
};
