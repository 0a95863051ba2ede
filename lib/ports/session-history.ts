import type { ContextEntry } from '@/lib/context/entry';
import type { SessionId } from '@/lib/shared/ids';

import type { LogRow } from './ledger-reader';

/** A step of a session's context; `entry` null: its text was erased. */
export type HistoryEntry = { readonly seq: number; readonly entry: ContextEntry | null };

/** A session's two rows of events, each by keyset in both directions, nearest first. */
export type SessionHistory = {
  readonly receiptsBefore: (session: SessionId, index: bigint, limit: number) => Promise<readonly LogRow[]>;
  readonly receiptsFrom: (session: SessionId, index: bigint, limit: number) => Promise<readonly LogRow[]>;
  readonly entriesBefore: (session: SessionId, seq: number, limit: number) => Promise<readonly HistoryEntry[]>;
  readonly entriesFrom: (session: SessionId, seq: number, limit: number) => Promise<readonly HistoryEntry[]>;
};
