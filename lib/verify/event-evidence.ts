import type { Roster } from '@/lib/authority/roster';
import type { TrustRoot } from '@/lib/authority/trust-root';
import type { Cryptography } from '@/lib/authority/verify-trust-root';
import type { ReceiptBody } from '@/lib/ledger/receipt-predicate';

import { inForceAt, type Entry } from './parse-entries';
import type { PlacedPolicy } from './policy-history';
import type { PlacedRoster } from './roster-history';
import { rootAt, type PlacedRoot } from './trust-history';

/** What the rules about kinds of events judge by: receipts in log order, and who and what was in force at each position. */
export type EventEvidence = {
  readonly entries: readonly Entry[];
  /** The bundle holds every receipt below this position; 0 when it does not begin with the log. Behind it are only anchors. */
  readonly complete: number;
  /** The bundle ends where its checkpoint does, so no transaction is cut in two. */
  readonly closed: boolean;
  readonly roots: readonly PlacedRoot[];
  readonly rosters: readonly PlacedRoster[];
  readonly policies: readonly PlacedPolicy[];
  readonly cryptography: Cryptography;
};

/** Where a rule is broken, in one sentence. */
export type EventFault = { readonly index: number; readonly detail: string };

/** What is not in the bundle before this position did not happen. */
export const knowsAllBefore = ({ complete }: EventEvidence, index: number): boolean => index <= complete;

export const rosterAt = ({ rosters }: EventEvidence, index: number): Roster | undefined => inForceAt(rosters, index)?.roster;

export const ownersAt = ({ roots }: EventEvidence, index: number): TrustRoot | undefined => rootAt(roots, index);

/** Walks the receipts in log order; ends at the first one that `judge` finds fault with. */
export async function firstFault(
  entries: readonly Entry[],
  judge: (body: ReceiptBody, index: number) => string | undefined | Promise<string | undefined>,
): Promise<EventFault | undefined> {
  for (const { body, index } of entries) {
    const answer = body && judge(body, index);
    const detail = answer instanceof Promise ? await answer : answer;
    if (detail !== undefined) return { index, detail };
  }
  return undefined;
}
