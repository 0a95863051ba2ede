import type { Pin } from '@/lib/authority/pins';
import type { ServiceKey } from '@/lib/authority/trust-root';
import type { Channel } from '@/lib/contracts/console/notices';
import type { PolicyFormat } from '@/lib/contracts/console/policies';
import type { SetUpMode } from '@/lib/contracts/console/set-up';
import type { ActionStore } from '@/lib/ports/action-store';
import type { ApprovalStore } from '@/lib/ports/approval-store';
import type { AttemptStore } from '@/lib/ports/attempt-store';
import type { AuthorityStore } from '@/lib/ports/authority-store';
import type { CeremonyStore } from '@/lib/ports/ceremony-store';
import type { Clock } from '@/lib/ports/clock';
import type { ConsoleReads } from '@/lib/ports/console-reads';
import type { ContentStore } from '@/lib/ports/content-store';
import type { CredentialStore } from '@/lib/ports/credential-store';
import type { ErasureStore } from '@/lib/ports/erasure-store';
import type { EventBus } from '@/lib/ports/event-bus';
import type { GrantStore } from '@/lib/ports/grant-store';
import type { GuardDirectories } from '@/lib/ports/guard-directories';
import type { Ids } from '@/lib/ports/ids';
import type { LedgerReader } from '@/lib/ports/ledger-reader';
import type { LedgerStore } from '@/lib/ports/ledger-store';
import type { NoticeStore } from '@/lib/ports/notice-store';
import type { Passwords } from '@/lib/ports/passwords';
import type { PeopleStore } from '@/lib/ports/people-store';
import type { PinStore } from '@/lib/ports/pin-store';
import type { PolicyTestsStore } from '@/lib/ports/policy-tests-store';
import type { ProofJobStore } from '@/lib/ports/proof-job-store';
import type { ProposalStore } from '@/lib/ports/proposal-store';
import type { PolicyDraftStore } from '@/lib/ports/policy-draft-store';
import type { ReconciliationReads } from '@/lib/ports/reconciliation-reads';
import type { SavedViewStore } from '@/lib/ports/saved-view-store';
import type { SessionHistory } from '@/lib/ports/session-history';
import type { SigningRequestStore } from '@/lib/ports/signing-request-store';
import type { SessionStore } from '@/lib/ports/session-store';
import type { ShadowStore } from '@/lib/ports/shadow-store';
import type { Transactor } from '@/lib/ports/transaction';
import type { AuthorityInForce } from '@/lib/services/authority-in-force';
import type { CompilePolicy } from '@/lib/services/in-force';
import type { RunSuggest } from '@/lib/services/proof/suggest/run-suggest';
import type { Proving } from '@/lib/services/proven-place';
import type { SignReceipt } from '@/lib/services/sign-receipt';
import type { Signer } from '@/lib/shared/dsse';
import type { WorkspaceId } from '@/lib/shared/ids';
import type { PublicKeyEntry } from '@/lib/shared/keys';
import type { Result } from '@/lib/shared/result';

/** What the console's use cases are made of. The composition root fills it once a process; tests fill it per database. */
export type ConsoleParts = {
  readonly workspace: WorkspaceId;
  readonly cryptography: Proving;
  readonly ids: Ids;
  readonly clock: Clock;
  readonly sign: SignReceipt;
  /** This process's own receipt key, for what it signs besides receipts: the manifest of an export. */
  readonly signer: Signer;
  readonly productVersion: string;
  readonly passwords: Passwords;
  readonly compile: CompilePolicy;
  readonly inForce: AuthorityInForce;
  readonly pins: PinStore;
  readonly transactor: Transactor;
  readonly people: PeopleStore;
  readonly proposals: ProposalStore;
  readonly policyTests: PolicyTestsStore;
  readonly proofJobs: ProofJobStore;
  readonly shadows: ShadowStore;
  /** Looks for rules that past approvals justify, where it disturbs nobody. */
  readonly suggest: RunSuggest;
  readonly savedViews: SavedViewStore;
  readonly policyDrafts: PolicyDraftStore;
  readonly signingRequests: SigningRequestStore;
  readonly authority: AuthorityStore;
  readonly ceremonies: CeremonyStore;
  readonly approvals: ApprovalStore;
  readonly attempts: AttemptStore;
  readonly actions: ActionStore;
  readonly sessions: SessionStore;
  readonly credentials: CredentialStore;
  readonly grants: GrantStore;
  readonly ledger: LedgerStore;
  readonly log: LedgerReader;
  readonly content: ContentStore;
  readonly erasures: ErasureStore;
  readonly events: EventBus;
  readonly notices: NoticeStore;
  /** By which people are told of held requests; empty where nothing is configured. */
  readonly channels: readonly Channel[];
  /** State directories of two-directory guards, as this process was started with them. */
  readonly guards: GuardDirectories;
  readonly reads: ConsoleReads;
  readonly reconciliation: ReconciliationReads;
  readonly history: SessionHistory;
  /** The receipt keys of console and plane, which the first trust root delegates to. `unavailable` until both have started once. */
  readonly serviceKeys: () => Promise<Result<readonly ServiceKey[]>>;
  /** Writes whom this workspace's processes trust, whole and durable, over what a set-up that did not commit left. */
  readonly pinRoot: (pin: Pin) => Promise<void>;
  /** The policy that an owner signs at set-up. */
  readonly starterPolicy: (mode: SetUpMode) => { readonly text: string; readonly format: PolicyFormat };
  /** Only in a demo: a key file of the first owner, with which this process countersigns enrolments at once. */
  readonly demoOwner: { readonly key: PublicKeyEntry; readonly signer: Signer } | null;
};
