import { votePayloadType, type VoteStatement } from '@/lib/approvals/vote';
import { parseVote } from '@/lib/approvals/parse-vote';
import { drawnHere } from '@/lib/approvals/verify-vote';
import { personById } from '@/lib/authority/roster-lookup';
import type { RosterPerson } from '@/lib/authority/roster';
import type { Cryptography } from '@/lib/authority/verify-trust-root';
import type { ContentItem } from '@/lib/ledger/content';
import type { ReceiptPredicate } from '@/lib/ledger/receipt-predicate';
import { envelopePayload, verifiedSigners } from '@/lib/shared/dsse';
import { bytesEqual, fromBase64, utf8 } from '@/lib/shared/encoding';
import type { ApprovalId, Digest } from '@/lib/shared/ids';
import type { Json } from '@/lib/shared/json';

import { bars, faultOfChanges, withChanges } from './changed-requests';
import { faultOfQuestions } from './asked-back';
import { faultOfEdits } from './edited-actions';
import { faultOfHeldVote } from './held-vote';
import { inForceAt, ofKind, type Entry, type Placed } from './parse-entries';
import { failed, passed, unknown, type Check } from './report';
import { faultOfGroups } from './missing-groups';
import { judgeBasis } from './request-basis';
import type { PlacedRoster } from './roster-history';
import { faultOfSuccessors } from './successors';
import { rootAt, type PlacedRoot } from './trust-history';

/** The decision that held the action, by approval. */
type Decisions = ReadonlyMap<ApprovalId, ReceiptPredicate<'action_decided'>>;

type VoteEvidence = {
  readonly entries: readonly Entry[];
  readonly decisions: Decisions;
  readonly roots: readonly PlacedRoot[];
  readonly rosters: readonly PlacedRoster[];
  readonly contents: ReadonlyMap<Digest, Json>;
  readonly cryptography: Cryptography;
};

/**
 * Every vote is for a request of this log, in time, by a person to whom it was routed and whom separation of duties does not
 * bar, on exactly the basis that was asked. An approval is signed by that person's key as the roster in force lists it; where
 * the bundle has what was held, basis and screen are made from it again.
 */
export async function checkVotes(
  entries: readonly Entry[],
  roots: readonly PlacedRoot[],
  rosters: readonly PlacedRoster[],
  items: readonly ContentItem[],
  cryptography: Cryptography,
): Promise<Check> {
  const contents = new Map(items.map(({ digest, value }) => [digest, value]));
  const evidence: VoteEvidence = { entries, decisions: decisionsByApproval(entries), roots, rosters, contents, cryptography };
  const requests = ofKind(evidence.entries, 'approval_requested');
  const votes = ofKind(evidence.entries, 'approval_voted');
  const seen = new Set<ApprovalId>();
  for (const { index, predicate } of requests) {
    const judged = judgeBasis(predicate, evidence.decisions.get(predicate.approval), contents, cryptography.sha256);
    if (judged.fault !== undefined) return failed('votes', judged.fault, index);
    if (judged.seen) seen.add(predicate.approval);
  }
  const changed = await faultOfChanges(evidence);
  if (changed) return failed('votes', changed.detail, changed.index);
  const edited = await faultOfEdits(evidence);
  if (edited) return failed('votes', edited.detail, edited.index);
  let unrequested = 0;
  for (const vote of votes) {
    const request = requests.findLast(({ index, predicate }) => index < vote.index && predicate.approval === vote.predicate.approval);
    if (!request) {
      unrequested += 1;
      continue;
    }
    const asked = withChanges(request, vote.index, evidence.entries);
    const fault = await faultOfVote(vote, asked, evidence);
    if (fault) return failed('votes', fault, vote.index);
  }
  for (const { index, predicate } of requests) {
    const fault = faultOfRequest(predicate, evidence.decisions.get(predicate.approval));
    if (fault !== undefined) return failed('votes', fault, index);
  }
  const alone = faultOfGroups(entries, contents, rosters);
  if (alone) return failed('votes', alone.detail, alone.index);
  const next = faultOfSuccessors(entries, contents);
  if (next) return failed('votes', next.detail, next.index);
  const asked = faultOfQuestions(entries, rosters);
  if (asked) return failed('votes', asked.detail, asked.index);
  if (unrequested > 0) return unknown('votes', `${unrequested} of ${votes.length} votes are for requests that are not in the bundle.`);
  // A signature over a digest says nothing of what a person saw, and what was decided could be another thing.
  const blind = votes.filter(({ predicate }) => predicate.verdict === 'approve' && !seen.has(predicate.approval)).length;
  if (blind > 0) return unknown('votes', `${blind} of ${votes.length} votes are signed over what the bundle does not hold, so it cannot be compared with what was decided.`);
  const undrawn = votes.filter(({ predicate }) => predicate.verdict === 'approve' && !isDrawnHere(predicate)).length;
  if (undrawn > 0) return unknown('votes', `${undrawn} of ${votes.length} votes were given on screens of a renderer that is not here, so what was seen cannot be drawn again.`);
  return passed('votes', votes.length === 1 ? 'One vote.' : `${votes.length} votes.`);
}

function isDrawnHere({ statement }: ReceiptPredicate<'approval_voted'>): boolean {
  const parsed = parseVote(utf8(statement));
  return parsed.ok && drawnHere(parsed.value);
}

/** The request asks what its decision said that it would: on that basis, of so many people, until then. */
function faultOfRequest(request: ReceiptPredicate<'approval_requested'>, decided: ReceiptPredicate<'action_decided'> | undefined): string | undefined {
  if (!decided?.approval) return undefined;
  const { basis_digest, quorum, expires_at } = decided.approval;
  if (decided.action.id !== request.action.id || decided.action.digest !== request.action.digest) return 'The request is about another action than the decision that it names.';
  const same = request.basis_digest === basis_digest && request.quorum === quorum && request.expires_at === expires_at;
  return same ? undefined : 'The request asks something else than its decision says.';
}

async function faultOfVote(
  { index, predicate }: Placed<'approval_voted'>,
  request: ReceiptPredicate<'approval_requested'>,
  evidence: VoteEvidence,
): Promise<string | undefined> {
  const roster = inForceAt(evidence.rosters, index)?.roster;
  const person = roster && personById(roster, predicate.person);
  if (!person || person.suspended === true) return 'The roster in force does not list the voter as an active person.';
  if (!person.groups.some((group) => request.approvers.includes(group))) return 'The request was not routed to the voter.';
  if (predicate.basis_digest !== request.basis_digest) return 'The vote is on another basis than was asked.';
  if (predicate.action.id !== request.action.id || predicate.action.digest !== request.action.digest) return 'The vote is for another action than was asked.';
  if (predicate.at >= request.expires_at) return 'The vote came after the request had expired.';
  if (predicate.verdict === 'deny') return undefined;
  if (bars(person, request, evidence.decisions.get(predicate.approval))) return 'Separation of duties bars the voter.';
  const signature = await faultOfSignature(index, predicate, person, evidence);
  if (signature !== undefined) return signature;
  const held = request.held_digest && evidence.contents.get(request.held_digest);
  const root = rootAt(evidence.roots, index);
  return held === undefined || !root ? undefined : faultOfHeldVote(held, request, predicate, { root, roster }, evidence.cryptography);
}

async function faultOfSignature(
  index: number,
  vote: ReceiptPredicate<'approval_voted'>,
  person: RosterPerson,
  { decisions, roots, cryptography }: VoteEvidence,
): Promise<string | undefined> {
  const { envelope } = vote;
  const payload = envelope?.payloadType === votePayloadType ? envelopePayload(envelope) : undefined;
  if (!envelope || !payload) return 'An approval without a signature.';
  if (!bytesEqual(payload, utf8(vote.statement))) return 'The signed statement is not the recorded one.';
  const parsed = parseVote(payload);
  if (!parsed.ok) return 'The vote’s statement cannot be read.';
  const said = faultOfStatement(parsed.value, vote);
  if (said) return said;
  const key = person.keys.find(({ id }) => id === parsed.value.voter.key);
  const publicKey = key && fromBase64(key.public_key);
  if (!key || !publicKey || key.kind !== parsed.value.voter.key_kind) return 'The roster in force does not list this key for the voter.';
  const impact = decisions.get(vote.approval)?.impact;
  if (impact && rootAt(roots, index)?.key_kinds[impact].includes(key.kind) !== true) return `The trust root does not let a ${key.kind} key approve ${impact} impact.`;
  const signers = await verifiedSigners(envelope, new Map([[key.id, publicKey]]), cryptography.verify);
  return envelope.signatures.length === 1 && signers.has(key.id) ? undefined : 'The signature does not verify.';
}

function faultOfStatement(said: VoteStatement, vote: ReceiptPredicate<'approval_voted'>): string | undefined {
  if (said.request !== vote.approval || said.basis_digest !== vote.basis_digest) return 'The signature is over another request.';
  if (said.verdict !== vote.verdict || said.voter.person !== vote.person) return 'The signature is another person’s or for another verdict.';
  const sameKey = vote.key === undefined || (vote.key.id === said.voter.key && vote.key.kind === said.voter.key_kind);
  const sameView = vote.view_digest === undefined || vote.view_digest === said.view.digest;
  return sameKey && sameView ? undefined : 'The receipt names another key or view than the signature.';
}

function decisionsByApproval(entries: readonly Entry[]): Decisions {
  return new Map(
    ofKind(entries, 'action_decided').flatMap(({ predicate }) => (predicate.approval ? [[predicate.approval.id, predicate] as const] : [])),
  );
}
