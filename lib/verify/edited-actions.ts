import { editPayloadType } from '@/lib/approvals/edit';
import { parseHeldAction } from '@/lib/approvals/parse-held-action';
import { parseEdit } from '@/lib/approvals/parse-edit';
import { readSigned, verifySignatory } from '@/lib/approvals/verify-signatory';
import { allowedKeyKinds } from '@/lib/authority/key-kinds';
import { personById } from '@/lib/authority/roster-lookup';
import type { Cryptography } from '@/lib/authority/verify-trust-root';
import { unsealValues } from '@/lib/ledger/content';
import type { ReceiptPredicate } from '@/lib/ledger/receipt-predicate';
import { canonicalJson } from '@/lib/shared/canonical-json';
import { envelopePayload } from '@/lib/shared/dsse';
import { digestOf } from '@/lib/shared/encoding';
import type { ApprovalId, Digest } from '@/lib/shared/ids';
import { isJsonObject, type Json } from '@/lib/shared/json';
import { keyKinds } from '@/lib/shared/keys';

import { bars, withChanges } from './changed-requests';
import { inForceAt, ofKind, type Entry, type Placed } from './parse-entries';
import type { PlacedRoster } from './roster-history';
import { rootAt, type PlacedRoot } from './trust-history';

type Evidence = {
  readonly entries: readonly Entry[];
  /** The decision that held the action, by approval. */
  readonly decisions: ReadonlyMap<ApprovalId, ReceiptPredicate<'action_decided'>>;
  readonly roots: readonly PlacedRoot[];
  readonly rosters: readonly PlacedRoster[];
  readonly contents: ReadonlyMap<Digest, Json>;
  readonly cryptography: Cryptography;
};
type Fault = { readonly index: number; readonly detail: string };

/**
 * Other parameters for a held action are signed by somebody who could approve it, once, while nobody had ended it; it is not approved
 * after that. The action that it goes on as is the one that the edit names, of the same tool and operation, with exactly those parameters.
 * Gives the first that does not hold. What lies before the bundle is not judged.
 */
export async function faultOfEdits(evidence: Evidence): Promise<Fault | undefined> {
  const edits = ofKind(evidence.entries, 'approval_edited');
  for (const edit of edits) {
    const detail = (await faultOfSignature(edit, evidence)) ?? faultOfEdit(edit, edits, evidence);
    if (detail !== undefined) return { index: edit.index, detail };
  }
  for (const decided of ofKind(evidence.entries, 'action_decided')) {
    const detail = faultOfDecision(decided, edits, evidence);
    if (detail !== undefined) return { index: decided.index, detail };
  }
  return undefined;
}

async function faultOfSignature({ index, predicate }: Placed<'approval_edited'>, { decisions, roots, rosters, cryptography }: Evidence): Promise<string | undefined> {
  const { approval, person, parameters_digest, statement } = predicate;
  const said = readSigned(statement.envelope, editPayloadType, parseEdit);
  if (!said.ok) return said.error.detail;
  const { signer } = said.value;
  const same = said.value.request === approval && said.value.parameters_digest === parameters_digest && signer.person === person && signer.key === statement.key.id && signer.key_kind === statement.key.kind;
  const payload = envelopePayload(statement.envelope);
  if (!same || !payload || digestOf(cryptography.sha256, payload) !== statement.digest) return 'The receipt states another edit than the signature.';
  const roster = inForceAt(rosters, index)?.roster;
  const root = rootAt(roots, index);
  const impact = decisions.get(approval)?.impact;
  const kinds = !root ? [] : impact ? allowedKeyKinds(root, impact) : keyKinds;
  const verified = await verifySignatory(statement.envelope, signer, { person: (id) => (roster ? personById(roster, id) : undefined), keyKinds: kinds, verify: cryptography.verify });
  return verified.ok ? undefined : verified.error.detail;
}

function faultOfEdit({ index, predicate }: Placed<'approval_edited'>, edits: readonly Placed<'approval_edited'>[], { entries, decisions, rosters }: Evidence): string | undefined {
  const { approval, action, person: id, statement, at } = predicate;
  if (edits.some((one) => one.index < index && one.predicate.approval === approval)) return 'The request was edited twice.';
  const end = ofKind(entries, 'approval_resolved').find((one) => one.predicate.approval === approval);
  if (end && end.index < index) return 'The request was edited after it had ended.';
  if (end?.predicate.state === 'approved' || end?.predicate.state === 'stale') return `The request was edited, and ended ${end.predicate.state}.`;
  const made = ofKind(entries, 'approval_requested').find((one) => one.index < index && one.predicate.approval === approval);
  if (!made) return undefined;
  const request = withChanges(made, index, entries);
  if (request.action.id !== action.id || request.action.digest !== action.digest) return 'The request was edited as one about another action.';
  const said = readSigned(statement.envelope, editPayloadType, parseEdit);
  if (!said.ok || said.value.basis_digest !== request.basis_digest) return 'The edit is on another basis than was asked.';
  if (at >= request.expires_at) return 'The request had expired when it was edited.';
  const roster = inForceAt(rosters, index)?.roster;
  const person = roster && personById(roster, id);
  if (!person?.groups.some((group) => request.approvers.includes(group))) return 'The request was edited by somebody to whom it was not routed.';
  return bars(person, request, decisions.get(approval)) ? 'The request was edited by somebody whom separation of duties bars.' : undefined;
}

function faultOfDecision({ index, predicate }: Placed<'action_decided'>, edits: readonly Placed<'approval_edited'>[], { entries, decisions, contents }: Evidence): string | undefined {
  const { edited_from: from, cause } = predicate;
  if (!from) return cause === 'edited' ? 'An edited action does not say which one it comes from.' : undefined;
  if (cause !== 'edited') return 'Only an edited action comes from another one.';
  const edit = edits.find((one) => one.index < index && one.predicate.approval === from.approval)?.predicate;
  const request = requestOf(from.approval, entries);
  if (!edit) return request && request.index < index ? 'An action is said to be edited, and nobody signed that.' : undefined;
  if (edit.edited !== predicate.action.id || edit.person !== from.by || edit.session !== predicate.identity.session) return 'An edited action is not the one that the person’s edit names.';
  if (edit.action.id !== from.action.id || edit.action.digest !== from.action.digest) return 'An edited action names another action than it came from.';
  const before = decisions.get(from.approval);
  if (before && (before.tool !== predicate.tool || before.operation !== predicate.operation)) return 'An edited action is another operation than the one that was held.';
  if (hidesEdit(from, requestOf(predicate.approval?.id, entries), request, contents)) return 'Whoever was asked about an edited action was not told what it was before.';
  if (hasOther(contents, predicate.action.digest, edit.parameters_digest)) return 'An edited action has other parameters than the person signed.';
  const end = ofKind(entries, 'approval_resolved').find((one) => one.predicate.approval === from.approval);
  return end && (end.predicate.state !== 'superseded' || end.predicate.deferral !== undefined) ? `An action was edited, and its request ended ${end.predicate.state}.` : undefined;
}

const requestOf = (id: ApprovalId | undefined, entries: readonly Entry[]) => ofKind(entries, 'approval_requested').find(({ predicate }) => predicate.approval === id);

/** Whether the request about the edited action shows another a and a′ than were held, where the bundle has what was held in both. */
function hidesEdit(from: NonNullable<ReceiptPredicate<'action_decided'>['edited_from']>, after: Placed<'approval_requested'> | undefined, before: Placed<'approval_requested'> | undefined, contents: ReadonlyMap<Digest, Json>): boolean {
  const [was, is] = [before, after].map((one) => {
    const value = one?.predicate.held_digest === undefined ? undefined : contents.get(one.predicate.held_digest);
    const held = value === undefined ? undefined : parseHeldAction(value);
    return held?.ok ? held.value : undefined;
  });
  if (!is) return false;
  const { edited } = is;
  if (edited?.from !== from.approval || edited.by !== from.by) return true;
  return was !== undefined && canonicalJson([was.action.parameters, was.transformed?.parameters ?? null]) !== canonicalJson([edited.parameters, edited.transformed]);
}

/** Whether the action's parameters are others than those signed, where the bundle has both whole. */
function hasOther(contents: ReadonlyMap<Digest, Json>, action: Digest, signed: Digest): boolean {
  const [stored, parameters] = [contents.get(action), contents.get(signed)];
  if (stored === undefined || parameters === undefined) return false;
  const missing: Digest[] = [];
  const whole = unsealValues(stored, (digest) => {
    if (!contents.has(digest)) missing.push(digest);
    return contents.get(digest);
  });
  return missing.length === 0 && (!isJsonObject(whole) || canonicalJson(whole.parameters ?? null) !== canonicalJson(parameters));
}
