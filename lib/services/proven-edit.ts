import { z } from 'zod';

import type { PendingApproval } from '@/lib/approvals/approval-state';
import type { HeldAction } from '@/lib/approvals/held-action';
import { verifyEdit } from '@/lib/approvals/verify-edit';
import { personById } from '@/lib/authority/roster-lookup';
import type { ApprovalRow } from '@/lib/ports/approval-store';
import { idField } from '@/lib/shared/document-fields';
import type { ActionId, PersonId } from '@/lib/shared/ids';
import { isJsonObject, type JsonObject } from '@/lib/shared/json';
import { keyKinds } from '@/lib/shared/keys';
import { parseOwnJson } from '@/lib/shared/parse-own-json';
import { fail, ok, type Result } from '@/lib/shared/result';

import { openContent } from './action-content';
import type { InForce } from './in-force';
import type { PlaneParts } from './plane-parts';
import { provenReceipt } from './proven-receipt';
import { provenRequest } from './proven-request';
import { rosterAt } from './roster-at';

const stored = z.strictObject({ action: idField('action'), by: idField('person'), receipt: idField('receipt') });

/** An edit as its request's row names it: the action that it is to become, who signed it, and the receipt that holds what they signed. */
export type StoredEdit = z.infer<typeof stored>;

/** Null: nobody has edited it. */
export const editOf = ({ edit }: Pick<ApprovalRow, 'edit'>): StoredEdit | null => (edit === null ? null : stored.parse(parseOwnJson(edit)));

export type ProvenEdit = {
  readonly action: ActionId;
  readonly person: PersonId;
  readonly name: string;
  readonly at: string;
  readonly reason: string | null;
  readonly parameters: JsonObject;
};

type Proven = { readonly held: HeldAction; readonly state: PendingApproval; readonly edit: ProvenEdit };

/**
 * What a person edited a request's action to, once it is known that they did: the receipt is a service's, and this very person signed
 * exactly these parameters, on this request as the log proves that it stood, with a key that the roster of that position lists. A row alone changes nothing.
 * Failures: `ledger_broken`, those of `verifyEdit`, `not_found` (the parameters were erased).
 */
export async function provenEdit(parts: PlaneParts, { root }: InForce, approval: ApprovalRow): Promise<Result<Proven>> {
  const named = stored.safeParse(parseOwnJson(approval.edit ?? ''));
  const receipt = named.success ? await parts.reader.byId(named.data.receipt) : undefined;
  if (!named.success || !receipt || !root) return fail('ledger_broken', `No receipt states what request ${approval.id} was edited to.`);
  const body = await provenReceipt(receipt, root.root, parts.cryptography);
  if (!body.ok) return body;
  if (body.value.kind !== 'approval_edited') return fail('ledger_broken', `Receipt ${receipt.id} tells of no edit.`);
  const { edited, person, at, statement, parameters_digest } = body.value.predicate;
  if (body.value.predicate.approval !== approval.id || edited !== named.data.action) return fail('ledger_broken', `Receipt ${receipt.id} tells of another edit.`);
  const roster = await rosterAt({ ...parts, ...parts.stores, authority: parts.proposing.authority }, root.root, receipt.index);
  if (!roster.ok) return roster;
  const request = await provenRequest(parts, root.root, approval);
  if (!request.ok) return request;
  const { held, state } = request.value;
  if (state.edited?.action !== edited) return fail('ledger_broken', `Request ${approval.id} was edited to another action first.`);
  // Which kind of key may sign was judged when it was made, and is by verifiers: as for every statement of a person.
  const verified = await verifyEdit(statement.envelope, { held, terms: state, now: at, person: (id) => personById(roster.value, id), keyKinds, verify: parts.cryptography.verify, sha256: parts.sha256 });
  if (!verified.ok) return verified;
  if (verified.value.signer.person !== person || verified.value.parameters_digest !== parameters_digest) return fail('ledger_broken', `Receipt ${receipt.id} states another edit than was signed.`);
  const parameters = await openContent(parts.stores.content, parts.sha256, parameters_digest);
  if (!isJsonObject(parameters)) return fail('not_found', 'What was edited cannot be read any more.');
  const name = personById(roster.value, person)?.name ?? person;
  return ok({ held, state, edit: { action: edited, person, name, at, reason: verified.value.reason ?? null, parameters } });
}
