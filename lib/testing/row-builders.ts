import { createHash } from 'node:crypto';

import type { ChainedEntry } from '@/lib/context/entry';
import { buildStatement, statementBytes, statementPayloadType } from '@/lib/ledger/statement';
import type { ActionRow } from '@/lib/ports/action-store';
import type { ApprovalRow, DeferralRow, VoteRow } from '@/lib/ports/approval-store';
import type { AgentRow, CredentialRow } from '@/lib/ports/credential-store';
import type { SignedReceipt } from '@/lib/ports/ledger-store';
import type { PersonRow } from '@/lib/ports/people-store';
import type { SessionRow } from '@/lib/ports/session-store';
import { envelopeText, signEnvelope } from '@/lib/shared/dsse';
import type { Digest, WorkspaceId } from '@/lib/shared/ids';
import { randomIds } from '@/lib/server/random-ids';
import { nodeSha256, testKey } from '@/lib/testing/node-crypto';

const ids = randomIds();
const key = testKey('receipts of store tests');

/** A digest made from a word. */
export const aDigest = (word: string): Digest => createHash('sha256').update(word).digest('hex') as Digest;

export const at = '2026-03-01T10:00:00.000Z';
export const later = '2026-03-01T10:05:00.000Z';
/** Beyond any clock that runs the tests. */
export const farOff = '2999-01-01T00:00:00.000Z';

/** A truly signed receipt of a recorded message, with columns as given. */
export async function aReceipt(workspace: WorkspaceId, columns: Partial<SignedReceipt> = {}): Promise<SignedReceipt> {
  const id = columns.id ?? ids.make('receipt');
  const session = columns.session ?? ids.make('session');
  const statement = buildStatement(nodeSha256, 'message_recorded', {
    workspace,
    at: columns.at ?? at,
    receipt: id,
    session,
    message_digest: aDigest(id),
    by: { kind: 'orchestrator', id: 'desk' },
    context_head: aDigest('head'),
    context_seq: 1,
  });
  const envelope = await signEnvelope(statementPayloadType, statementBytes(statement), [key.signer]);
  return { id, kind: 'message_recorded', at, envelope: envelopeText(envelope), session, ...columns };
}

export const receipts = (workspace: WorkspaceId, count: number): Promise<SignedReceipt[]> =>
  Promise.all(Array.from({ length: count }, () => aReceipt(workspace)));

export const aSession = (fields: Partial<SessionRow> = {}): SessionRow => ({
  id: ids.make('session'), human: 'ada@example.com', service: ids.make('credential'), agent: 'clerk', parent: null, expected_scope: null,
  state: 'open', opened_at: at, began_at: fields.opened_at ?? at, last_at: at, head: aDigest('start'), seq: 0, ...fields,
});

export const anEntry = (seq: number): ChainedEntry => ({
  seq,
  hash: aDigest(`entry ${String(seq)}`),
  entry: { kind: 'request', at, text: `Words “${String(seq)}” with \u0000 and 𝒰`, assurance: 'orchestrator' },
});

export const anAction = (fields: Partial<ActionRow> = {}): ActionRow => ({
  id: ids.make('action'), session: ids.make('session'), agent: 'clerk', human: 'ada@example.com', credential: ids.make('credential'),
  tool: 'mail', operation: 'send', asked: aDigest('asked'), effective: aDigest('effective'), reason: null, depends_on: [], decision: 'STEP_UP',
  state: 'held', code: 'needs_approval', reason_shown: 'A person must countersign.', guidance: null, classification: null, impact: 'high',
  body: '{"decision":"STEP_UP"}', snapshot: null, policy: null, epoch: 3n, context_head: aDigest('head'),
  receipt: { id: ids.make('receipt'), index: 7n }, proposed_at: at, changed_at: at, permit: null, redeemed_at: null, redeemed_by: null,
  outcome_due_at: null, outcome_at: null, output: null, outcome_error: null, superseded_by: null, ...fields,
});

export const aPermit = (expires_at: string): NonNullable<ActionRow['permit']> => ({
  id: ids.make('permit'), expires_at, receipt: ids.make('receipt'), epoch: 3n, head: aDigest('after permit'),
});

export const anApproval = (fields: Partial<ApprovalRow> = {}): ApprovalRow => ({
  id: ids.make('approval'), action: ids.make('action'), session: ids.make('session'), state: 'pending', impact: 'critical',
  approvers: ['finance', 'it "ops", \\ {x}'], all_groups: false, quorum: 2, separation: true, basis: '{"basis":1}', basis_digest: aDigest('basis'),
  held: '{"held":1}', created_at: at, expires_at: farOff, resolved_at: null, resolved_by: null, resolution: null,
  looked_epoch: 3n, looked_head: aDigest('head'), escalates_at: null, edit: null, ...fields,
});

export const aVote = (fields: Pick<VoteRow, 'approval'> & Partial<VoteRow>): VoteRow => ({
  person: ids.make('person'), verdict: 'approve', reason: null, statement: '{"vote":1}', envelope: '{"envelope":1}',
  key: { id: aDigest('key'), kind: 'webauthn' }, at, ...fields,
});

export const aDeferral = (fields: Partial<DeferralRow> = {}): DeferralRow => ({
  id: ids.make('deferral'), action: ids.make('action'), session: ids.make('session'), state: 'open', missing: '[]', waits_for: [], depth: 1,
  ask_at: null, created_at: at, expires_at: farOff, resolved_at: null, question: null, ...fields,
});

export const aCredential = (fields: Partial<CredentialRow> = {}): CredentialRow => {
  const id = fields.id ?? ids.make('credential');
  return {
    id, kind: 'agent', subject: 'clerk', token_digest: aDigest(`token of ${id}`), scopes: ['explain'], created_by: 'root@example.com',
    created_at: at, expires_at: farOff, revoked_at: null, ...fields,
  };
};

export const anAgent = (fields: Partial<AgentRow> = {}): AgentRow => ({
  id: 'clerk', role: 'assistant', scope: ['mail'], registered_by: 'root@example.com', suspended_at: null, created_at: at, ...fields,
});

export const aPerson = (fields: Partial<PersonRow> = {}): PersonRow => {
  const id = fields.id ?? ids.make('person');
  return { id, email: `${id}@example.com`, name: 'Ada', password_hash: null, suspended_at: null, signed_out_at: null, ...fields };
};
