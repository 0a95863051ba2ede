import { extensionBytes, extensionPayloadType } from '@/lib/approvals/extension';
import { lineOfRequests } from '@/lib/approvals/line-of-requests';
import { parseHeldAction } from '@/lib/approvals/parse-held-action';
import { latestEnd } from '@/lib/approvals/pending-approval';
import { personById } from '@/lib/authority/roster-lookup';
import type { RosterPerson } from '@/lib/authority/roster';
import type { Cryptography } from '@/lib/authority/verify-trust-root';
import type { ReceiptPredicate } from '@/lib/ledger/receipt-predicate';
import { normalEmail } from '@/lib/shared/email';
import type { Digest } from '@/lib/shared/ids';
import type { Json } from '@/lib/shared/json';

import { inForceAt, ofKind, type Entry, type Placed } from './parse-entries';
import type { PlacedRoster } from './roster-history';
import { faultOfPerson, holdsDocument } from './signed-document';
import { rootAt, type PlacedRoot } from './trust-history';

type Request = ReceiptPredicate<'approval_requested'>;
type Decided = ReceiptPredicate<'action_decided'>;

/** A request as it stood at a position: escalations ask more groups, extensions move its end. */
export function withChanges({ index: from, predicate }: Placed<'approval_requested'>, at: number, entries: readonly Entry[]): Request {
  const ours = <T extends { readonly index: number; readonly predicate: { readonly approval: string } }>(found: readonly T[]) =>
    found.filter(({ index, predicate: { approval } }) => index > from && index < at && approval === predicate.approval);
  const groups = ours(ofKind(entries, 'approval_escalated')).flatMap((escalation) => escalation.predicate.approvers);
  const end = ours(ofKind(entries, 'approval_extended')).at(-1)?.predicate.expires_at;
  return { ...predicate, approvers: [...predicate.approvers, ...groups], expires_at: end ?? predicate.expires_at };
}

/** The receipt lists who is excluded; that the session's own human is among them is not left to its word. */
export function bars(person: RosterPerson, request: Request, decided: Decided | undefined): boolean {
  if (!request.separation && decided?.impact !== 'critical') return false;
  return request.excluded.includes(person.id) || (decided !== undefined && normalEmail(decided.identity.human) === normalEmail(person.email));
}

type ChangeEvidence = {
  readonly entries: readonly Entry[];
  /** The decision that held the action, by approval. */
  readonly decisions: ReadonlyMap<string, Decided>;
  readonly contents: ReadonlyMap<Digest, Json>;
  readonly roots: readonly PlacedRoot[];
  readonly rosters: readonly PlacedRoster[];
  readonly cryptography: Cryptography;
};

/** The first extension or escalation that changes a request as it may not be changed. What has its request before the bundle is not judged. */
export async function faultOfChanges(evidence: ChangeEvidence): Promise<{ readonly index: number; readonly detail: string } | undefined> {
  const requests = ofKind(evidence.entries, 'approval_requested');
  const requestOf = (change: Placed<'approval_extended'> | Placed<'approval_escalated'>) =>
    requests.findLast(({ index, predicate }) => index < change.index && predicate.approval === change.predicate.approval);
  for (const extension of ofKind(evidence.entries, 'approval_extended')) {
    const request = requestOf(extension);
    const detail = request && (await faultOfExtension(extension, request, evidence));
    if (detail !== undefined) return { index: extension.index, detail };
  }
  for (const escalation of ofKind(evidence.entries, 'approval_escalated')) {
    const request = requestOf(escalation);
    if (!request) continue;
    const detail = faultOfEscalation(escalation, request, evidence);
    if (detail !== undefined) return { index: escalation.index, detail };
  }
  return undefined;
}

/** Where the bundle has what was held, that says whom else its rule asks, and when. */
function faultOfEscalation({ index, predicate }: Placed<'approval_escalated'>, made: Placed<'approval_requested'>, { entries, contents }: ChangeEvidence): string | undefined {
  const { at, action, approvers } = predicate;
  if (isAnother(action, made.predicate)) return 'The request was escalated as one about another action.';
  if (at >= withChanges(made, index, entries).expires_at) return 'The request had expired when it was escalated.';
  const { held_digest } = made.predicate;
  const held = parseHeldAction(held_digest && contents.get(held_digest));
  if (!held.ok) return undefined;
  const { escalate } = held.value.approvers;
  if (escalate?.to.join('\n') !== approvers.join('\n')) return 'The request was escalated to others than its rule names.';
  const first = firstOfLine(made, entries);
  return first.supersedes === undefined && Date.parse(at) < Date.parse(first.at) + escalate.after_s * 1000 ? 'The request was escalated before its time.' : undefined;
}

/** The first of its line, or the first in the bundle: that goes on from another, of which nothing is known. */
function firstOfLine(made: Placed<'approval_requested'>, entries: readonly Entry[]): Request {
  const earlier = ofKind(entries, 'approval_requested').filter((one) => one.index < made.index && one.predicate.action.id === made.predicate.action.id);
  return lineOfRequests(made.predicate, earlier.map(({ predicate }) => predicate))[0];
}

const isAnother = (action: Request['action'], request: Request): boolean => action.id !== request.action.id || action.digest !== request.action.digest;

/** An extension is signed by somebody who could approve, in time; the request never lasts longer than twice as long as it first would have, or its action than a day. */
async function faultOfExtension(
  { index, predicate }: Placed<'approval_extended'>,
  made: Placed<'approval_requested'>,
  { entries, decisions, roots, rosters, cryptography }: ChangeEvidence,
): Promise<string | undefined> {
  const { person: id, approval, expires_at, envelope, at, action } = predicate;
  const request = withChanges(made, index, entries);
  const terms = { request: approval, basis_digest: request.basis_digest, person: id, expires_at };
  if (!holdsDocument(envelope, extensionPayloadType, (signedAt) => extensionBytes(terms, signedAt))) return 'The approver signed another extension than the receipt states.';
  if (isAnother(action, request)) return 'The request was extended as one about another action.';
  if (at >= request.expires_at) return 'The request had expired when it was extended.';
  if (expires_at <= request.expires_at) return 'An extension that does not end later than the request did.';
  const proposed = ofKind(entries, 'action_decided').find((one) => one.predicate.action.id === action.id && (one.predicate.cause === 'proposed' || one.predicate.cause === 'edited'));
  const first = firstOfLine(made, entries);
  if (first.supersedes === undefined && expires_at > latestEnd({ held_at: first.at, expires_at: first.expires_at }, proposed?.predicate.at ?? first.at)) return 'The request was extended to more than twice its first time, or its action’s day.';
  const roster = inForceAt(rosters, index)?.roster;
  const person = roster && personById(roster, id);
  if (person && !person.groups.some((group) => request.approvers.includes(group))) return 'The request was extended by somebody to whom it was not routed.';
  const decided = decisions.get(approval);
  if (person && bars(person, request, decided)) return 'The request was extended by somebody whom separation of duties bars.';
  return faultOfPerson(envelope, id, roster, decided && rootAt(roots, index)?.key_kinds[decided.impact], cryptography);
}
