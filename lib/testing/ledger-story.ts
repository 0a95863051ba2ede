import type { TrustRoot } from '@/lib/authority/trust-root';
import { trustRootPayloadType, trustRootSchema } from '@/lib/authority/trust-root';
import { browserKeyKinds } from '@/lib/authority/key-kinds';
import { rosterPayloadType, rosterSchema, type Roster } from '@/lib/authority/roster';
import { policyRevisionSchema } from '@/lib/authority/policy-revision';
import { signPolicy, signPolicyStatement } from '@/lib/authority/policy-statement';
import { basisOf } from '@/lib/approvals/basis';
import { checksOf } from '@/lib/approvals/checks';
import type { HeldAction } from '@/lib/approvals/held-action';
import { approvalView, renderer, viewDigest, viewLocale } from '@/lib/approvals/view';
import { votePayloadType, voteSchema, type VoteStatement } from '@/lib/approvals/vote';
import type { ReceiptPredicate } from '@/lib/ledger/receipt-predicate';
import { asJson } from '@/lib/shared/as-json';
import { canonicalBytes, canonicalJson } from '@/lib/shared/canonical-json';
import { signEnvelope } from '@/lib/shared/dsse';
import { digestOf, toBase64, utf8 } from '@/lib/shared/encoding';
import type { ActionId, ApprovalId, Digest, ReceiptId } from '@/lib/shared/ids';
import type { KeyKind, PublicKeyEntry } from '@/lib/shared/keys';

import { LedgerBuilder, testId, testKeys, testTime, testWorkspace } from './ledger-builder';
import { nodeSha256 as sha256, type TestKey } from './node-crypto';

export const people = { owner: testId('person', 1), approver: testId('person', 2), requester: testId('person', 3) };
export const session = testId('session', 1);
export const policyText = 'schema: countersign/policy/v1\nid: story\n';

const far = testTime(86_000);
const keyEntry = (key: TestKey, kind: KeyKind): PublicKeyEntry => ({ id: key.signer.keyId as PublicKeyEntry['id'], kind, public_key: toBase64(key.publicKey) });

export const storyRoot: TrustRoot = {
  schema: trustRootSchema,
  workspace: testWorkspace,
  version: 1,
  previous: null,
  owners: [{ person: people.owner, key: keyEntry(testKeys.owner, 'file-ed25519') }],
  thresholds: { policy: 1, loosening: 1, root: 1, recovery: 1 },
  key_kinds: browserKeyKinds,
  services: [
    { key: keyEntry(testKeys.plane, 'file-ed25519'), role: 'plane', from: 0 },
    { key: keyEntry(testKeys.console, 'file-ed25519'), role: 'console', from: 0 },
  ],
  recovery: { key: keyEntry(testKeys.recovery, 'file-ed25519') },
  cool_off_seconds: 0,
  created_at: testTime(0),
};

export const storyRoster: Roster = {
  schema: rosterSchema,
  workspace: testWorkspace,
  version: 1,
  previous: null,
  root_version: 1,
  people: [
    { id: people.owner, email: 'owner@corp.example', name: 'Owner', roles: ['owner'], groups: [], keys: [keyEntry(testKeys.owner, 'file-ed25519')] },
    { id: people.approver, email: 'approver@corp.example', name: 'Approver', roles: ['approver'], groups: ['approver'], keys: [keyEntry(testKeys.approver, 'browser-ed25519')] },
    { id: people.requester, email: 'requester@corp.example', name: 'Requester', roles: ['requester'], groups: ['approver'], keys: [] },
  ],
  credentials: [],
  created_at: testTime(0),
};

const bytesOf = (document: object): Uint8Array => canonicalBytes(asJson(document));

/** SHA-256 of the story's trust root: what a reader brings along. */
export const storyFingerprint = digestOf(sha256, bytesOf(storyRoot));

/** Trust root, roster and policy in force, and a session open: positions 0 to 3. */
export async function beginStory(root: TrustRoot = storyRoot, roster: Roster = storyRoster): Promise<LedgerBuilder> {
  const ledger = new LedgerBuilder();
  const { owner, console } = testKeys;
  const signers = [owner.signer.keyId as PublicKeyEntry['id']];
  ledger.trustRoots.push(await signEnvelope(trustRootPayloadType, bytesOf(root), [owner.signer]));
  ledger.rosters.push(await signEnvelope(rosterPayloadType, bytesOf(roster), [owner.signer]));
  const policy = utf8(policyText);
  const digest = digestOf(sha256, policy);
  ledger.policies.push({
    signature: await signPolicy(policy, [owner.signer]),
    apply: await signPolicyStatement(
      { schema: policyRevisionSchema, workspace: testWorkspace, revision: 1, base_digest: null, digest, signed_at: testTime(0) },
      [owner.signer],
    ),
  });
  await ledger.append('trust_root_changed', { version: root.version, digest: digestOf(sha256, bytesOf(root)), previous_digest: null, signers }, console);
  await ledger.append('roster_changed', { version: 1, digest: digestOf(sha256, bytesOf(roster)), previous_digest: null, signers }, console);
  await ledger.append(
    'policy_applied',
    { revision: 1, digest, base_digest: null, signers, change: 'first', self_signed: true, origin: 'set_up', by: { kind: 'person', id: people.owner } },
    console,
  );
  await ledger.append('session_opened', {
    session,
    human: 'requester@corp.example',
    service: 'helpdesk',
    agent: 'agent-1',
    role: 'support',
    scope: [],
    delegation: [],
    request_digest: ledger.content({ text: 'Please send the report.' }),
    request_assurance: 'orchestrator',
    expires_at: far,
    ...contextAt(1),
  });
  return ledger;
}

/** The session's chain after n entries. */
export const contextAt = (n: number) => ({ context_head: digestOf(sha256, utf8(`entry ${n}`)), context_seq: n });

type Decided = ReceiptPredicate<'action_decided'>;
type Changes<T> = { readonly [Name in keyof T]?: T[Name] };

/** A decision on the n-th action of the session, ALLOW unless changed. */
export function decided(ledger: LedgerBuilder, n: number, seq: number, changes: Changes<Decided> = {}): Omit<Decided, 'workspace' | 'at' | 'receipt'> {
  const value = { tool: 'email', operation: 'send', parameters: { to: [`a${n}@corp.example`] } };
  // Decided again, an action keeps its digest.
  const known = ledger.contents.find((item) => canonicalJson(item.value) === canonicalJson(value));
  const action = { id: testId('action', n), digest: known?.digest ?? ledger.content(value) };
  return {
    identity: { human: 'requester@corp.example', service: 'helpdesk', agent: 'agent-1', session, role: 'support', scope: [], delegation: [] },
    tool: 'email',
    operation: 'send',
    action,
    cause: 'proposed',
    decision: 'ALLOW',
    state: 'permitted',
    code: 'allowed',
    reason: 'Allowed by the baseline.',
    impact: 'medium',
    determining: [{ id: 'baseline', read: [] }],
    unknown: [],
    signals: [{ name: 'verb', score: 800, weight: 300 }],
    evaluability: 1000,
    alignment: 800,
    policy: { revision: 1, digest: digestOf(sha256, utf8(policyText)) },
    tables: [],
    engine_version: '1',
    snapshot_digest: ledger.content({ snapshot: n }),
    attributes: [],
    ...contextAt(seq),
    epoch: 1,
    permit: permitFor(n, action.digest, seq + 1),
    ...changes,
  };
}

export const permitFor = (n: number, digest: Digest, seq: number) => ({
  id: testId('permit', n),
  expires_at: far,
  action_digest: digest,
  obligations: [],
  ...contextAt(seq),
  epoch: 1,
});

/** An action that is allowed at once, redeemed, and reported. Lengthens the session by two steps; gives the action. */
export async function allowedAction(ledger: LedgerBuilder, n: number, seq: number): Promise<Decided['action']> {
  const body = decided(ledger, n, seq);
  await ledger.append('action_decided', body);
  await redeemAndReport(ledger, n, body.action, seq + 1);
  return body.action;
}

export async function redeemAndReport(ledger: LedgerBuilder, n: number, action: Decided['action'], seq: number): Promise<void> {
  const by = { kind: 'enforcement_point', id: 'pep-1' } as const;
  await ledger.append('permit_redeemed', { session, permit: testId('permit', n), action, by, ...contextAt(seq) });
  await ledger.append('outcome_reported', {
    session,
    permit: testId('permit', n),
    action,
    status: 'succeeded',
    output_digest: ledger.content({ output: n }),
    labels: ['INTERNAL'],
    trusted: true,
    late: false,
    reported_by: by,
    ...contextAt(seq + 1),
  });
}

export type HeldChanges = {
  readonly request?: Changes<ReceiptPredicate<'approval_requested'>>;
  readonly vote?: Changes<ReceiptPredicate<'approval_voted'>>;
  readonly statement?: Changes<VoteStatement>;
  readonly resolved?: Changes<ReceiptPredicate<'approval_resolved'>>;
  readonly issued?: Changes<ReceiptPredicate<'permit_issued'>>;
  readonly signer?: TestKey;
  readonly decision?: Changes<Decided>;
  /** All that was known when it was held, kept as content; the vote is then on its basis and its screen. */
  readonly held?: (approval: ApprovalId, action: ActionId) => HeldAction;
  /** Told between the decision and the request. */
  readonly between?: (decided: ReceiptId) => Promise<unknown>;
  /** Told between the request and the vote. */
  readonly waiting?: (request: { readonly approval: ApprovalId; readonly action: Decided['action']; readonly basis_digest: Digest }) => Promise<unknown>;
  /** When the request ends, at first. */
  readonly expires_at?: string;
};

/** An action that is held, approved by a signed vote, permitted, redeemed and reported; each step can be changed. */
export async function approvedAction(ledger: LedgerBuilder, n: number, seq: number, changes: HeldChanges = {}): Promise<void> {
  const approval = testId('approval', n);
  const { permit: _permit, ...held } = decided(ledger, n, seq, { decision: 'STEP_UP', state: 'held', code: 'needs_approval' });
  const known = changes.held?.(approval, held.action.id);
  const expires_at = changes.expires_at ?? far;
  const shown = known && heldInStory(known, expires_at);
  const follows = shown && decidedAsShown(ledger, shown);
  const basis = canonicalJson(shown ? basisOf(shown) : { request: approval, action: { id: held.action.id }, policy_digest: held.policy?.digest ?? null });
  const basis_digest = digestOf(sha256, utf8(basis));
  const action = follows ? { ...follows.action, id: held.action.id } : held.action;
  const receipt = await ledger.append('action_decided', { ...held, ...follows, action, approval: { id: approval, basis_digest, expires_at, quorum: 1 }, ...changes.decision });
  await changes.between?.(receipt);
  await ledger.append('approval_requested', {
    approval,
    session,
    action,
    ...(follows?.transformed_digest ? { transformed_digest: follows.transformed_digest } : {}),
    basis,
    basis_digest,
    approvers: ['approver'],
    quorum: 1,
    separation: true,
    excluded: shown ? [shown.identity.human_person, shown.identity.registered_by].filter((person) => person !== null) : [people.requester],
    expires_at,
    ...(shown ? { held_digest: ledger.content(asJson(shown)) } : {}),
    ...changes.request,
  });
  await changes.waiting?.({ approval, action, basis_digest });
  const vote = await ledger.append('approval_voted', await voteOn(approval, action, basis_digest, changes, shown), testKeys.console);
  const by = { kind: 'service', id: 'console' } as const;
  await ledger.append('approval_resolved', { approval, action, state: 'approved', votes: [vote], by, ...changes.resolved }, testKeys.console);
  await ledger.append('permit_issued', {
    session,
    agent: 'agent-1',
    action,
    approval,
    permit: permitFor(n, follows?.transformed_digest ?? action.digest, seq + 1),
    ...changes.issued,
  });
  await redeemAndReport(ledger, n, action, seq + 1);
}

/** What is held fits into the story: for its people, under its policy. */
const heldInStory = (shown: HeldAction, expires_at: string): HeldAction => ({
  ...shown,
  identity: { ...shown.identity, human: 'requester@corp.example', human_person: people.requester, service: 'helpdesk', agent: 'agent-1', role: 'support', scope: [], delegation: [] },
  approvers: shown.approvers.all_groups ? shown.approvers : { groups: ['approver'], all_groups: false, quorum: 1, separation: true, ...(shown.approvers.escalate ? { escalate: shown.approvers.escalate } : {}) },
  policy: { revision: 1, digest: digestOf(sha256, utf8(policyText)) },
  expires_at,
});

/** The decision that leads to just this being held. */
function decidedAsShown(ledger: LedgerBuilder, { action_id, action, transformed, impact, rules }: HeldAction) {
  const { tool, operation } = action;
  return {
    tool, operation, impact,
    action: { id: action_id, digest: ledger.content(asJson(action)) },
    ...(transformed ? { transformed_digest: ledger.content({ tool, operation, parameters: transformed.parameters }) } : {}),
    determining: rules.map(({ id, read }) => ({ id, read: [...read] })),
  };
}

async function voteOn(approval: ApprovalId, action: Decided['action'], basis_digest: Digest, changes: HeldChanges, shown?: HeldAction) {
  const signer = changes.signer ?? testKeys.approver;
  const key = { id: signer.signer.keyId as PublicKeyEntry['id'], kind: 'browser-ed25519' } as const;
  const statement: VoteStatement = {
    schema: voteSchema,
    request: approval,
    basis_digest,
    view: shown ? { digest: viewDigest(approvalView(shown), sha256), renderer, locale: viewLocale } : { digest: digestOf(sha256, utf8('view')), renderer: '1', locale: 'en' },
    verdict: 'approve',
    checks: shown ? checksOf(shown).map(({ id }) => id) : [],
    nonce: '0'.repeat(32),
    voter: { person: people.approver, key: key.id, key_kind: key.kind },
    signed_at: testTime(5),
    ...changes.statement,
  };
  const bytes = bytesOf(statement);
  return {
    approval,
    action,
    person: people.approver,
    verdict: 'approve' as const,
    basis_digest,
    statement: canonicalJson(asJson(statement)),
    envelope: await signEnvelope(votePayloadType, bytes, [signer.signer]),
    key,
    ...changes.vote,
  };
}

/** The whole story: one action allowed at once, one approved by a person, one denied; two checkpoints. */
export async function wholeStory(): Promise<LedgerBuilder> {
  const ledger = await beginStory();
  await allowedAction(ledger, 1, 1);
  await ledger.checkpoint();
  await approvedAction(ledger, 2, 3);
  const { permit: _permit, ...denied } = decided(ledger, 3, 5, { decision: 'DENY', state: 'denied', code: 'denied_by_default' });
  await ledger.append('action_decided', denied);
  await ledger.checkpoint();
  return ledger;
}
