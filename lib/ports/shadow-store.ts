import type { ChangedDecision } from '@/lib/policy/replay-report';
import type { PersonId, ProposalId } from '@/lib/shared/ids';

import type { Tx } from './transaction';

/** What a shadow has found so far. `counts` is canonical JSON of transitions and of what could not be decided. */
export type ShadowFound = {
  readonly next: bigint;
  readonly receipts: number;
  readonly decisions: number;
  readonly replayed: number;
  readonly differing: number;
  readonly counts: string;
};

export const shadowEnds = ['time', 'stopped', 'proposal_ended'] as const;

export type ShadowRow = ShadowFound & {
  readonly proposal: ProposalId;
  readonly started_by: PersonId;
  readonly started_at: string;
  readonly ends_at: string;
  readonly ended_at: string | null;
  readonly ended_why: (typeof shadowEnds)[number] | null;
};

export type ShadowStore = {
  readonly find: (proposal: ProposalId, tx?: Tx) => Promise<ShadowRow | undefined>;
  readonly running: () => Promise<readonly ShadowRow[]>;
  /** Begins one, in place of one that has ended; false when one runs. */
  readonly begin: (tx: Tx, row: Pick<ShadowRow, 'proposal' | 'started_by' | 'started_at' | 'ends_at' | 'next'>) => Promise<boolean>;
  /**
   * Writes what was found between two positions, with its differences, and moves on: all or nothing. False when another process has moved it on,
   * or it has ended; then nothing is written, so no receipt is counted twice.
   */
  readonly advance: (tx: Tx, proposal: ProposalId, from: bigint, found: ShadowFound, differences: readonly ChangedDecision[]) => Promise<boolean>;
  readonly end: (tx: Tx, proposal: ProposalId, at: string, why: (typeof shadowEnds)[number]) => Promise<boolean>;
  /** Newest first. */
  readonly differences: (proposal: ProposalId, limit: number) => Promise<readonly ChangedDecision[]>;
};
