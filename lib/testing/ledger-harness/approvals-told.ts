import { answerField } from '@/lib/approvals/asked-back';
import { basisDigest } from '@/lib/approvals/basis';
import { checksOf } from '@/lib/approvals/checks';
import { editSchema, signEdit } from '@/lib/approvals/edit';
import { differencesOf } from '@/lib/approvals/differences';
import { signExtension } from '@/lib/approvals/extension';
import type { HeldAction } from '@/lib/approvals/held-action';
import { neededQuorum } from '@/lib/approvals/needed-quorum';
import { typedIn } from '@/lib/approvals/typed-values';
import { signStanding, type StandingApproval } from '@/lib/approvals/standing';
import { signVote, voteBytes, voteStatement } from '@/lib/approvals/vote-statement';
import type { Roster } from '@/lib/authority/roster';
import { gainedLabels } from '@/lib/context/label-ledger';
import { contentItem } from '@/lib/ledger/content';
import { heldActionOf } from '@/lib/services/held-action-of';
import { later } from '@/lib/services/later';
import { asJson } from '@/lib/shared/as-json';
import { canonicalBytes } from '@/lib/shared/canonical-json';
import { digestOf, fromUtf8 } from '@/lib/shared/encoding';
import { envelopePayload } from '@/lib/shared/dsse';
import { keyId, type ActionId, type ApprovalId, type DeferralId, type PersonId, type ReceiptId } from '@/lib/shared/ids';
import type { JsonObject } from '@/lib/shared/json';
import type { KeyKind } from '@/lib/shared/keys';

import { nodeSha256 as sha256, type TestKey } from '../node-crypto';
import { agent, human, type Judged, type ToldSession } from './told-session';

export type Held = { readonly approval: ApprovalId; readonly held: HeldAction; readonly judged: Judged; readonly basis: ReturnType<typeof basisDigest>; readonly decided: ReceiptId };

type HoldMore = Parameters<ToldSession['judge']>[3] & {
  readonly approval?: ApprovalId;
  readonly cause?: 'proposed' | 'edited' | 'supplied' | 'requeued';
  readonly replaces?: ReceiptId;
  readonly edited?: { readonly from: Held; readonly by: PersonId };
  /** The request that it takes the place of. */
  readonly instead?: Held;
  /** Told between the decision and the request. */
  readonly between?: (decided: ReceiptId) => void;
};

/** An action that policy holds: its decision, and the request to people. */
export function hold(session: ToldSession, label: string, roster: Roster, [tool, operation, parameters]: readonly [string, string, JsonObject], more: HoldMore = {}): Held {
  const { teller } = session;
  const judged = session.judge(tool, operation, parameters, more);
  const demand = judged.decision.approval;
  const policy = teller.policies.at(-1);
  if (!demand || !policy) throw new Error(`${label} is not held but ${judged.decision.decision}: ${judged.decision.reason}`);
  const compiled = session.policy(policy);
  const inForce = {
    epoch: 1n, denied: null, root: null, roster: { roster, digest: policy.digest }, policy: null, refusal: null, switches: [], revoked: new Set<string>(), subjects: new Map<string, string>(), agents: new Map(),
  };
  const asked = heldActionOf({
    approval: more.approval ?? teller.ids.make('approval'), id: judged.id, action: judged.action, decision: judged.decision, demand, snapshot: judged.snapshot,
    policy: { ...policy, compiled, format: 'yaml', signers: [], change: 'not_proved', applied_at: teller.now }, inForce, shown: session.state.shown, reason: 'It belongs to the task.',
    heldAt: teller.now, salt: teller.ids.salt(), expiresAt: more.instead?.held.expires_at ?? later(teller.now, demand.timeout_s),
  });
  const { edited } = more;
  const from = edited && { from: edited.from.approval, by: edited.by, name: 'Abe', at: teller.now, reason: 'This file alone.', parameters: edited.from.held.action.parameters, transformed: edited.from.held.transformed?.parameters ?? null };
  const held = more.instead ? { ...asked, changed: { from: more.instead.approval, differences: differencesOf(more.instead.held, asked, gainedLabels) } } : from ? { ...asked, edited: from } : asked;
  const { approval, expires_at } = held;
  const basis = basisDigest(held, sha256);
  const terms = { id: approval, basis_digest: basis, expires_at, quorum: neededQuorum(held) };
  const cause = more.cause ?? 'proposed';
  const edited_from = edited ? { edited_from: { action: { id: edited.from.judged.id, digest: edited.from.judged.digest }, approval: edited.from.approval, by: edited.by } } : {};
  const decided = teller.tell(`${label} held`, 'action_decided', { ...judged.body, cause, state: 'held', approval: terms, ...edited_from, ...(more.replaces ? { replaces: more.replaces } : {}) });
  more.between?.(decided);
  const item = contentItem(sha256, teller.ids.salt(), asJson(held));
  teller.contents.push(item);
  const human_person = held.identity.human_person;
  teller.tell(`${label} requested`, 'approval_requested', {
    approval, session: session.id, action: { id: judged.id, digest: judged.digest }, ...(judged.effective === judged.digest ? {} : { transformed_digest: judged.effective }),
    basis_digest: basis, held_digest: item.digest, approvers: [...demand.approvers], quorum: terms.quorum, separation: demand.separation,
    excluded: human_person ? [human_person] : [], expires_at, ...(more.instead ? { supersedes: more.instead.approval } : {}),
  });
  return { approval, held, judged, basis, decided };
}

export type Approver = { readonly person: PersonId; readonly key: TestKey; readonly kind: KeyKind };

/** Somebody approves with their key over exactly what they saw. */
export async function approve({ teller }: ToldSession, label: string, { held, judged, basis, approval }: Held, { person, key, kind }: Approver): Promise<ReceiptId> {
  const voter = { person, key: keyId(key.signer.keyId), key_kind: kind };
  const statement = voteStatement(held, { verdict: 'approve', reason: 'Looked at it.', checks: checksOf(held).map(({ id }) => id), nonce: '0123456789abcdef0123456789abcdef', voter, signed_at: teller.now }, sha256);
  return teller.byConsole(label, 'approval_voted', {
    approval, action: { id: judged.id, digest: judged.digest }, person, verdict: 'approve', basis_digest: basis, view_digest: statement.view.digest, reason: 'Looked at it.',
    statement: fromUtf8(voteBytes(statement)) ?? '', envelope: await signVote(statement, key.signer), key: { id: voter.key, kind },
  });
}

export function deny({ teller }: ToldSession, label: string, { judged, basis, approval }: Held, person: PersonId): ReceiptId {
  const statement = fromUtf8(canonicalBytes({ request: approval, person, code: 'not_wanted', reason: 'Not this one.' })) ?? '';
  return teller.byConsole(label, 'approval_voted', { approval, action: { id: judged.id, digest: judged.digest }, person, verdict: 'deny', basis_digest: basis, reason: 'Not this one.', statement });
}

export function resolve({ teller }: ToldSession, label: string, { approval, judged }: Held, state: 'approved' | 'denied' | 'withdrawn' | 'superseded', votes: readonly ReceiptId[], by: PersonId, more: { readonly superseded_by?: ApprovalId; readonly deferral?: DeferralId } = {}): ReceiptId {
  return teller.byConsole(label, 'approval_resolved', { approval, action: { id: judged.id, digest: judged.digest }, state, votes: [...votes], by: { kind: 'person', id: by }, ...more });
}

/** What it rested on has changed: the request gives way to one on the basis of now. */
export function askAnew(session: ToldSession, label: string, roster: Roster, parts: Parameters<typeof hold>[3], before: Held): Held {
  const { teller } = session;
  const { approval, judged, decided } = before;
  const anew = hold(session, label, roster, parts, { again: judged, cause: 'requeued', replaces: decided, instead: before });
  teller.tell(`${label} instead`, 'approval_resolved', {
    approval, action: { id: judged.id, digest: judged.digest }, state: 'stale', votes: [], by: { kind: 'service', id: 'plane' }, superseded_by: anew.approval,
  });
  return anew;
}

/** An approver types other parameters: signed, and a step of the session. Gives the action that it goes on as. */
export async function edit(session: ToldSession, label: string, { approval, judged, basis, held }: Held, { person, key, kind }: Approver, parameters: JsonObject): Promise<ActionId> {
  const { teller } = session;
  const edited = teller.ids.make('action');
  const signer = { person, key: keyId(key.signer.keyId), key_kind: kind };
  const parameters_digest = teller.content(parameters);
  const envelope = await signEdit({ schema: editSchema, request: approval, basis_digest: basis, parameters_digest, reason: 'This file alone.', nonce: '0123456789abcdef0123456789abcdef', signer, signed_at: teller.now }, key.signer);
  const digest = digestOf(sha256, envelopePayload(envelope) ?? new Uint8Array());
  const typed = typedIn([held.action.parameters], parameters);
  const after = session.step({ kind: 'person_value', at: teller.now, person, value: typed, statement: digest, salt: Buffer.from(teller.ids.salt()).toString('base64') });
  teller.byConsole(label, 'approval_edited', {
    approval, session: session.id, action: { id: judged.id, digest: judged.digest }, edited, person, parameters_digest, statement: { digest, envelope, key: { id: signer.key, kind } }, ...after,
  });
  return edited;
}

/** Somebody wants to know more first: the request gives way to a deferral that waits for the answer. */
export function askBack(session: ToldSession, asked: Held, by: PersonId, text: string): DeferralId {
  const { teller } = session;
  const { approval, judged } = asked;
  const deferral = teller.ids.make('deferral');
  resolve(session, 'asked back', asked, 'superseded', [], by, { deferral });
  teller.byConsole('question opened', 'deferral_opened', {
    deferral, session: session.id, action: { id: judged.id, digest: judged.digest }, missing: [answerField(judged.id, 1, 'desk')], conflict: [],
    question: { by, approval, digest: teller.content(text), asked: 1 }, expires_at: later(teller.now, 300),
  });
  return deferral;
}

/** The permit of an approved action; gives its id. */
export function permit(session: ToldSession, label: string, { approval, judged }: Held) {
  const permitted = session.permit(judged, 600);
  session.teller.tell(label, 'permit_issued', { session: session.id, agent, action: { id: judged.id, digest: judged.digest }, approval, permit: permitted });
  return permitted;
}

/** More groups are asked, and somebody who was asked moves the end. */
export async function escalateAndExtend({ teller }: ToldSession, { approval, judged, basis, held }: Held, to: readonly string[], { person, key }: Approver): Promise<void> {
  const action = { id: judged.id, digest: judged.digest };
  teller.tell('report escalated', 'approval_escalated', { approval, action, approvers: [...to], by: { kind: 'service', id: 'plane' } });
  const expires_at = later(held.expires_at, 300);
  const envelope = await signExtension({ request: approval, basis_digest: basis, person, expires_at }, teller.now, key.signer);
  teller.byConsole('report extended', 'approval_extended', { approval, action, person, expires_at, envelope });
}

/** An approver lets their word stand for a few more of exactly the same. */
export async function giveStanding({ teller }: ToldSession, { approval, judged }: Held, { person, key, kind }: Approver): Promise<StandingApproval> {
  const rule = judged.decision.determining[0]?.id ?? '';
  const { policy } = judged.body;
  if (!policy) throw new Error('A standing approval rests on a policy.');
  const standing: StandingApproval = {
    standing: teller.ids.make('standing'), request: approval, voter: { person, key: keyId(key.signer.keyId), key_kind: kind }, agent, human,
    tool: judged.action.tool, operation: judged.action.operation, rule, arguments_digest: digestOf(sha256, canonicalBytes({ path: 'copy.txt' })),
    policy_digest: policy.digest, uses: 2, ends_at: later(teller.now, 3600),
  };
  const envelope = await signStanding(standing, teller.now, key.signer);
  const { request: _request, voter: _voter, ...terms } = standing;
  teller.byConsole('standing granted', 'standing_approval_granted', { ...terms, approval, person, key: { id: keyId(key.signer.keyId), kind }, envelope });
  return standing;
}
