import type { ProofPhase } from '@/lib/contracts/console/proofs';
import type { PolicyProof } from '@/lib/policy/proof';
import type { PolicyFormat } from '@/lib/policy/read-text';
import type { Digest } from '@/lib/shared/ids';

import type { ReplayRange } from './replay-log';

export type PolicyText = { readonly text: string; readonly format: PolicyFormat; readonly digest: Digest };

/** What is to be found out, as plain data: it goes to a thread. */
export type ProofWork = {
  readonly base: PolicyText | null;
  readonly next: PolicyText;
  /** Texts of `*.test.yaml`: those that come with it, or else those of the policy that it was written on. */
  readonly tests: readonly string[];
  /** Those of the policy in force, where the proposal brings others: what comes out differently is said, and makes nothing red. */
  readonly formerTests: readonly string[];
  /** Groups that the roster in force knows. */
  readonly groups: readonly string[];
  /** The part of the log to take again; null: none is covered by a checkpoint. */
  readonly range: ReplayRange | null;
};

/** What is known so far: whatever stops the work, this was found. */
export type ProofSoFar = Partial<Pick<PolicyProof, 'tests' | 'lint' | 'comparison' | 'replay'>> & { readonly open: readonly string[] };

export type ProofProgress = { readonly phase: ProofPhase; readonly percent: number };

/** Told between two steps. Throwing stops the work. */
export type TellProof = { readonly progress: (progress: ProofProgress) => void; readonly found: (soFar: ProofSoFar) => void };
