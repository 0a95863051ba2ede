import type { SessionId } from '@/lib/shared/ids';

import { priorKept, type SessionState } from './session-state';
import type { PriorAction } from './snapshot';

/** A permit of some session of a family (a session, its children, theirs, and so on), with its number in the family, from 1. */
export type FamilyPermit = { readonly n: number; readonly session: SessionId; readonly prior: PriorAction };

/** The first session of the family; null for a session that has neither a parent nor ever had a child. */
export const familyOf = (state: SessionState): SessionId | null => state.lineage?.delegation.at(-1)?.session ?? (state.delegatedSeq > 0 ? state.id : null);

/**
 * What the other sessions of a family were permitted, beside what a session knows from its own chain: a limit on a session is a limit
 * on all that it hands on, and a step of a sequence counts wherever in the family it was taken. Bounded like the session's own.
 */
export class Relatives {
  /** The newest permit of the family that this has taken in, one's own among them. */
  n = 0;
  total = 0;
  readonly counts = new Map<string, number>();
  readonly recent: PriorAction[] = [];

  constructor(private readonly state: SessionState) {}

  /** The next permits of the family, in order. Own ones, and those that a session above had when it opened the next, are in the chain. */
  take(permits: readonly FamilyPermit[]): void {
    for (const { n, session, prior } of permits) {
      if (n <= this.n) continue;
      this.n = n;
      if (session === this.state.id || n <= this.inheritedUpTo(session)) continue;
      const key = `${prior.tool}.${prior.operation}`;
      this.counts.set(key, (this.counts.get(key) ?? 0) + 1);
      this.total++;
      this.recent.push(prior);
      if (this.recent.length > priorKept) this.recent.shift();
    }
  }

  private inheritedUpTo(session: SessionId): number {
    return this.state.lineage?.delegation.find((above) => above.session === session)?.family_n ?? 0;
  }
}
