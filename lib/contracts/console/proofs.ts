import { z } from 'zod';

import type { PolicyProof } from '@/lib/policy/proof';
import type { ChangedDecision, ReplayReport } from '@/lib/policy/replay-report';

import { id } from './fields';

export const proofJobStates = ['waiting', 'running', 'done', 'failed', 'cancelled'] as const;
export type ProofJobState = (typeof proofJobStates)[number];
export const proofPhases = ['reading', 'testing', 'comparing', 'replaying', 'recording'] as const;
export type ProofPhase = (typeof proofPhases)[number];

export const proofQuery = z.strictObject({ id: id('proposal') });
export const proveInput = z.strictObject({ proposal: id('proposal') });
export const cancelProofInput = z.strictObject({ proposal: id('proposal') });

/** How long a shadow may run, in days. */
export const shadowDays = [1, 7] as const;
export const startShadowInput = z.strictObject({ proposal: id('proposal'), days: z.union([z.literal(1), z.literal(7)]) });
export const stopShadowInput = z.strictObject({ proposal: id('proposal') });

export const suggestInput = z.strictObject({});

/** Where work on the proof is; null: nobody has begun it. A runner that died shows as failed. */
export type ProofJobView = { readonly state: ProofJobState; readonly phase: ProofPhase; readonly percent: number; readonly detail: string | null; readonly started_at: string } | null;

export type ShadowCounts = Pick<ReplayReport, 'transitions' | 'newly_allowed' | 'newly_stopped'> & { readonly not_replayed: readonly { readonly why: ReplayReport['not_replayed'][number]['why']; readonly count: number }[] };

export type ShadowView = ShadowCounts & {
  readonly started_by: string;
  readonly started_at: string;
  readonly ends_at: string;
  readonly ended_at: string | null;
  readonly ended_why: 'time' | 'stopped' | 'proposal_ended' | null;
  readonly receipts: number;
  readonly decisions: number;
  readonly replayed: number;
  readonly differing: number;
  readonly listed: readonly ChangedDecision[];
};

export type ProofView = {
  readonly proposal: string;
  readonly proof: PolicyProof | null;
  readonly proof_digest: string | null;
  readonly applicable: boolean | null;
  readonly proved_at: string | null;
  readonly job: ProofJobView;
  readonly shadow: ShadowView | null;
  /** What this viewer may do now. */
  readonly may: { readonly prove: boolean; readonly shadow: boolean };
};

export type SuggestionsView = { readonly decided: number; readonly least: number; readonly worth_looking: boolean };

/** What came of looking: proposals that were made, and how many rules were found, those among them that had been proposed already. */
export type SuggestResult = { readonly made: readonly { readonly proposal: string; readonly tool: string; readonly operation: string; readonly saved: number }[]; readonly found: number };
