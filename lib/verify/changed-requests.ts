import { extensionBytes, extensionPayloadType } from '@/lib/approvals/extension';
import type { Cryptography } from '@/lib/authority/verify-trust-root';
import { personById } from '@/lib/authority/roster-lookup';
import type { ReceiptPredicate } from '@/lib/ledger/receipt-predicate';

import { inForceAt, ofKind, type Entry, type Placed } from './parse-entries';
import type { PlacedRoster } from './roster-history';
import { faultOfPerson, holdsDocument } from './signed-document';

type Request = ReceiptPredicate<'approval_requested'>;

/** A request as it stood at a position: escalations ask more groups, extensions move its end. */
export function withChanges({ index: from, predicate }: Placed<'approval_requested'>, at: number, entries: readonly Entry[]): Request {
  const ours = <T extends { readonly index: number; readonly predicate: { readonly approval: string } }>(found: readonly T[]) =>
    found.filter(({ index, predicate: { approval } }) => index > from && index < at && approval === predicate.approval);
  const groups = ours(ofKind(entries, 'approval_escalated')).flatMap((escalation) => escalation.predicate.approvers);
  const end = ours(ofKind(entries, 'approval_extended')).at(-1)?.predicate.expires_at;
  return { ...predicate, approvers: [...predicate.approvers, ...groups], expires_at: end ?? predicate.expires_at };
}

/** An extension is signed by somebody who was asked, in time, and never gives a request more than twice the time it first had. */
export async function faultOfExtension(
  { index, predicate }: Placed<'approval_extended'>,
  request: Request,
  { rosters, cryptography }: { readonly rosters: readonly PlacedRoster[]; readonly cryptography: Cryptography },
): Promise<string | undefined> {
  const { person, approval, expires_at, envelope, at } = predicate;
  const terms = { request: approval, basis_digest: request.basis_digest, person, expires_at };
  if (!holdsDocument(envelope, extensionPayloadType, (signedAt) => extensionBytes(terms, signedAt))) return 'The approver signed another extension than the receipt states.';
  if (at >= request.expires_at) return 'The request had expired when it was extended.';
  const first = Date.parse(request.expires_at) - Date.parse(request.at);
  if (Date.parse(expires_at) > Date.parse(request.at) + 2 * first) return 'The request was extended to more than twice its first time.';
  const roster = inForceAt(rosters, index)?.roster;
  if (roster && personById(roster, person)?.groups.some((group) => request.approvers.includes(group)) !== true) return 'The request was extended by somebody to whom it was not routed.';
  return faultOfPerson(envelope, person, roster, undefined, cryptography);
}
