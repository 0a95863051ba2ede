import { editPayloadType } from '@/lib/approvals/edit';
import { isRouted } from '@/lib/approvals/eligible-approvers';
import { parseEdit } from '@/lib/approvals/parse-edit';
import { isTypedIn } from '@/lib/approvals/typed-values';
import { readSigned, verifySignatory } from '@/lib/approvals/verify-signatory';
import { personById } from '@/lib/authority/roster-lookup';
import type { TrustRoot } from '@/lib/authority/trust-root';
import type { ContextEntry } from '@/lib/context/entry';
import type { ReceiptPredicate } from '@/lib/ledger/receipt-predicate';
import type { SessionRow } from '@/lib/ports/session-store';
import { envelopePayload } from '@/lib/shared/dsse';
import { digestOf } from '@/lib/shared/encoding';
import type { Digest } from '@/lib/shared/ids';
import { isJsonObject } from '@/lib/shared/json';
import { keyKinds } from '@/lib/shared/keys';
import { fail, ok, type Result } from '@/lib/shared/result';

import { openContent } from './action-content';
import { provenReceipt } from './proven-receipt';
import { rosterAt } from './roster-at';
import { statementReceipt, type StatementParts } from './statement-receipt';

/**
 * Whether values that count as a person's word are: that person signed parameters that hold them, for a request of this session that was
 * routed to them and does not bar them. `head`: the chain's head after the step. Erased parameters cannot be compared any more; the chain
 * still vouches for the step.
 */
export async function proveTyped(parts: StatementParts, root: TrustRoot, row: SessionRow, head: Digest, entry: Extract<ContextEntry, { kind: 'person_value' }>): Promise<Result<null>> {
  const { sha256, verify } = parts.cryptography;
  const found = await statementReceipt(parts, root, row, 'approval_edited', head);
  if (!found.ok) return found;
  const { receipt, body } = found.value;
  if (body.kind !== 'approval_edited') return fail('ledger_broken', 'its receipt is of another kind');
  const { predicate } = body;
  const { statement: { envelope, digest }, approval, parameters_digest } = predicate;
  const payload = envelopePayload(envelope);
  const said = readSigned(envelope, editPayloadType, parseEdit);
  if (!said.ok || !payload || digest !== entry.statement || digestOf(sha256, payload) !== digest) return fail('ledger_broken', 'it names another statement than its receipt holds');
  const { signer, request } = said.value;
  if (signer.person !== entry.person || request !== approval || said.value.parameters_digest !== parameters_digest) return fail('ledger_broken', 'the statement is of another edit');
  const roster = await rosterAt(parts, root, receipt.index);
  if (!roster.ok) return roster;
  // Which kind of key may sign is judged when it is made, and by verifiers: a root that asks for more later makes nobody's session unusable.
  const person = await verifySignatory(envelope, signer, { person: (id) => personById(roster.value, id), keyKinds, verify });
  if (!person.ok) return person;
  const asked = await requestOf(parts, root, predicate);
  if (!asked.ok) return asked;
  const barred = asked.value.separation && asked.value.excluded.includes(signer.person);
  if (barred || !isRouted(person.value, signer.person, asked.value.approvers)) return fail('ledger_broken', 'the request was not theirs to edit');
  const parameters = await openContent(parts.content, sha256, parameters_digest);
  return parameters === null || (isJsonObject(parameters) && isTypedIn(entry.value, parameters)) ? ok(null) : fail('ledger_broken', 'what was typed is not in what was signed');
}

/** The request that was edited, with those whom an escalation asked. */
async function requestOf({ reader, cryptography }: StatementParts, root: TrustRoot, { approval, action }: ReceiptPredicate<'approval_edited'>) {
  const found: ReceiptPredicate<'approval_requested'>[] = [];
  const escalated: string[] = [];
  for (const receipt of (await reader.search({ action: action.id }, { limit: 300 })).rows) {
    if (receipt.kind !== 'approval_requested' && receipt.kind !== 'approval_escalated') continue;
    const body = await provenReceipt(receipt, root, cryptography);
    if (!body.ok) return body;
    if (body.value.kind === 'approval_requested' && body.value.predicate.approval === approval) found.push(body.value.predicate);
    if (body.value.kind === 'approval_escalated' && body.value.predicate.approval === approval) escalated.push(...body.value.predicate.approvers);
  }
  const [request] = found;
  return request ? ok({ ...request, approvers: [...request.approvers, ...escalated] }) : fail('ledger_broken', 'no receipt states the request that was edited');
}
