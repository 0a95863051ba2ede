import type { Clock } from '@/lib/ports/clock';
import type { DecisionPoint } from '@/lib/ports/decision-point';
import type { Embeddings } from '@/lib/ports/embeddings';
import type { EventBus } from '@/lib/ports/event-bus';
import type { Ids } from '@/lib/ports/ids';
import type { AttemptStore } from '@/lib/ports/attempt-store';
import type { InformationPoints } from '@/lib/ports/information-point';
import type { LedgerReader } from '@/lib/ports/ledger-reader';
import type { PeopleStore } from '@/lib/ports/people-store';
import type { Sha256 } from '@/lib/shared/encoding';
import type { Digest, WorkspaceId } from '@/lib/shared/ids';

import type { AuthorityInForce } from './authority-in-force';
import type { CheckpointHealth } from './checkpoint-health';
import type { CommitStores, GroupCommit } from './group-commit';
import type { Proving } from './proven-place';
import type { ProposalParts } from './proposals/proposal-parts';
import type { SessionContexts } from './session-contexts';
import type { SignReceipt } from './sign-receipt';

/** What the use cases of the plane are made of; the composition root joins it. */
export type PlaneParts = {
  readonly workspace: WorkspaceId;
  readonly stores: CommitStores & { readonly attempts: AttemptStore };
  /** What this process can ask by itself. */
  readonly information: InformationPoints;
  /** Others who decide along; their answers are evidence. */
  readonly points: readonly DecisionPoint[];
  /** The allowlists of guard directories that are attached, by name, as their files are now; null where one cannot be read. Left out: none is. */
  readonly allowlists?: () => readonly { readonly name: string; readonly digest: Digest | null }[];
  /** Null: none is configured, and nothing is asked. */
  readonly embeddings: Embeddings | null;
  readonly reader: LedgerReader;
  readonly people: PeopleStore;
  readonly authority: AuthorityInForce;
  readonly sessions: SessionContexts;
  readonly commits: GroupCommit;
  readonly events: EventBus;
  readonly sign: SignReceipt;
  /** For changes that agents ask for: they are rare, and written beside the group commit. */
  readonly proposing: ProposalParts;
  /** Whether the trust root lets a key of this process sign receipts. */
  readonly canSign: () => boolean;
  /** How far checkpoints have got; null where none are made. */
  readonly checkpoints: () => CheckpointHealth | null;
  readonly ids: Ids;
  readonly clock: Clock;
  readonly sha256: Sha256;
  readonly cryptography: Proving;
  /** Where people decide: the console's address, without a trailing slash. */
  readonly consoleUrl: string;
};
