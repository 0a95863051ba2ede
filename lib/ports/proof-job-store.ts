import type { ProofJobState, ProofPhase } from '@/lib/contracts/console/proofs';
import type { ProposalId } from '@/lib/shared/ids';


/** Where work on a proof is. Times are the database's. */
export type ProofJobRow = {
  readonly proposal: ProposalId;
  readonly state: ProofJobState;
  readonly runner: string;
  readonly phase: ProofPhase;
  readonly percent: number;
  readonly detail: string | null;
  readonly started_at: string;
  readonly beat_at: string;
  /** Its runner has not been heard of for longer than a beat takes: it died, and the work may be begun anew. */
  readonly stale: boolean;
};

/** Whatever these rows say, a proof is what its receipt says: they only keep two processes from the same work, and show how far it is. */
export type ProofJobStore = {
  readonly find: (proposal: ProposalId) => Promise<ProofJobRow | undefined>;
  /** Asks for the work, in place of what has ended; false when it waits or runs already. */
  readonly ask: (proposal: ProposalId) => Promise<boolean>;
  /** What nobody works on: asked for, or begun by a process that died. Oldest first. */
  readonly toDo: () => Promise<readonly ProposalId[]>;
  /** Open proposals for a policy that have no proof and of which nobody has asked for one: oldest first. */
  readonly unasked: (limit: number) => Promise<readonly ProposalId[]>;
  /** Begins work unless another process is at it. */
  readonly claim: (proposal: ProposalId, runner: string) => Promise<boolean>;
  /** Tells how far it is. `cancelled`: somebody asked to stop; `lost`: it is this runner's no longer. */
  readonly beat: (proposal: ProposalId, runner: string, phase: ProofPhase, percent: number) => Promise<'go_on' | 'cancelled' | 'lost'>;
  readonly end: (proposal: ProposalId, runner: string, state: 'done' | 'failed' | 'cancelled', detail: string | null) => Promise<void>;
  /** False when nothing of it runs. */
  readonly askToCancel: (proposal: ProposalId) => Promise<boolean>;
};
