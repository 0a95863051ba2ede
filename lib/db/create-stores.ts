import pg from 'pg';

import type { ActionStore } from '@/lib/ports/action-store';
import type { ApprovalStore } from '@/lib/ports/approval-store';
import type { AttemptStore } from '@/lib/ports/attempt-store';
import type { AuthorityStore } from '@/lib/ports/authority-store';
import type { CeremonyStore } from '@/lib/ports/ceremony-store';
import type { ContentStore } from '@/lib/ports/content-store';
import type { CredentialStore } from '@/lib/ports/credential-store';
import type { ErasureStore } from '@/lib/ports/erasure-store';
import type { GrantStore } from '@/lib/ports/grant-store';
import type { EventBus } from '@/lib/ports/event-bus';
import type { LedgerReader } from '@/lib/ports/ledger-reader';
import type { LedgerStore } from '@/lib/ports/ledger-store';
import type { NoticeStore } from '@/lib/ports/notice-store';
import type { PeopleStore } from '@/lib/ports/people-store';
import type { PolicyTestsStore } from '@/lib/ports/policy-tests-store';
import type { ProofJobStore } from '@/lib/ports/proof-job-store';
import type { ProposalStore } from '@/lib/ports/proposal-store';
import type { PolicyDraftStore } from '@/lib/ports/policy-draft-store';
import type { SavedViewStore } from '@/lib/ports/saved-view-store';
import type { SigningRequestStore } from '@/lib/ports/signing-request-store';
import type { SessionStore } from '@/lib/ports/session-store';
import type { ShadowStore } from '@/lib/ports/shadow-store';
import type { Transactor } from '@/lib/ports/transaction';
import type { WorkspaceId } from '@/lib/shared/ids';

import { postgresActionStore } from './action-store';
import { postgresApprovalStore } from './approval-store';
import { postgresAttemptStore } from './attempt-store';
import { postgresAuthorityStore } from './authority-store';
import { postgresCeremonyStore } from './ceremony-store';
import { postgresContentStore } from './content-store';
import { postgresCredentialStore } from './credential-store';
import { postgresErasureStore } from './erasure-store';
import { postgresEventBus } from './event-bus';
import { postgresGrantStore } from './grant-store';
import { postgresLedgerReader } from './ledger-reader';
import { postgresLedgerStore } from './ledger-store';
import { postgresNoticeStore } from './notice-store';
import { postgresPeopleStore } from './people-store';
import { postgresPolicyTestsStore } from './policy-tests-store';
import { postgresProofJobStore } from './proof-job-store';
import { postgresProposalStore } from './proposal-store';
import { postgresPolicyDraftStore } from './policy-draft-store';
import { postgresSavedViewStore } from './saved-view-store';
import { postgresSigningRequestStore } from './signing-request-store';
import { postgresSessionStore } from './session-store';
import { postgresShadowStore } from './shadow-store';
import { postgresTransactor } from './transactor';
import { withinKeyRange } from './within-key-range';

export type Stores = {
  readonly transactor: Transactor;
  readonly ledger: LedgerStore;
  readonly log: LedgerReader;
  readonly content: ContentStore;
  readonly sessions: SessionStore;
  readonly actions: ActionStore;
  readonly approvals: ApprovalStore;
  readonly attempts: AttemptStore;
  readonly authority: AuthorityStore;
  readonly ceremonies: CeremonyStore;
  readonly credentials: CredentialStore;
  readonly grants: GrantStore;
  readonly people: PeopleStore;
  readonly proposals: ProposalStore;
  readonly policyTests: PolicyTestsStore;
  readonly proofJobs: ProofJobStore;
  readonly shadows: ShadowStore;
  readonly savedViews: SavedViewStore;
  readonly policyDrafts: PolicyDraftStore;
  readonly signingRequests: SigningRequestStore;
  readonly erasures: ErasureStore;
  readonly notices: NoticeStore;
  readonly events: EventBus;
};

/** Every store of one workspace on one pool. Nothing is opened here; the event bus connects at its first subscriber. */
export const createStores = (pool: pg.Pool, workspace: WorkspaceId): Stores => ({
  transactor: postgresTransactor(pool, workspace),
  ledger: withinKeyRange(postgresLedgerStore),
  log: postgresLedgerReader(pool, workspace),
  content: postgresContentStore(pool, workspace),
  sessions: postgresSessionStore(pool, workspace),
  actions: postgresActionStore(pool, workspace),
  approvals: postgresApprovalStore(pool, workspace),
  attempts: postgresAttemptStore(pool, workspace),
  authority: postgresAuthorityStore(pool, workspace),
  ceremonies: postgresCeremonyStore(pool, workspace),
  credentials: postgresCredentialStore(pool, workspace),
  grants: postgresGrantStore(pool, workspace),
  people: postgresPeopleStore(pool, workspace),
  proposals: postgresProposalStore(pool, workspace),
  policyTests: postgresPolicyTestsStore(pool, workspace),
  proofJobs: postgresProofJobStore(pool, workspace),
  shadows: postgresShadowStore(pool, workspace),
  savedViews: postgresSavedViewStore(pool, workspace),
  policyDrafts: postgresPolicyDraftStore(pool, workspace),
  signingRequests: postgresSigningRequestStore(pool, workspace),
  erasures: postgresErasureStore(pool, workspace),
  notices: postgresNoticeStore(pool, workspace),
  events: postgresEventBus(workspace, () => new pg.Client(pool.options)),
});
