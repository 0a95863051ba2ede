import { z } from 'zod';

import { basisOf } from '@/lib/approvals/basis';
import { parseHeldAction } from '@/lib/approvals/parse-held-action';
import { neededQuorum } from '@/lib/approvals/needed-quorum';
import { isSeal } from '@/lib/ledger/content';
import { jsonField } from '@/lib/ledger/json-field';
import type { ReceiptPredicate } from '@/lib/ledger/receipt-predicate';
import { maxStatementBytes } from '@/lib/ledger/statement';
import { asJson } from '@/lib/shared/as-json';
import { canonicalBytes, canonicalJson } from '@/lib/shared/canonical-json';
import { digestOf, utf8, type Sha256 } from '@/lib/shared/encoding';
import type { Digest } from '@/lib/shared/ids';
import { impacts } from '@/lib/shared/impact';
import { isJsonArray, isJsonObject, type Json } from '@/lib/shared/json';
import { parseDocument } from '@/lib/shared/parse-document';

type Request = ReceiptPredicate<'approval_requested'>;
type Decided = ReceiptPredicate<'action_decided'>;
type Contents = ReadonlyMap<Digest, Json>;

/** Whether what people signed could be compared with what the receipts say was decided. */
export type BasisFinding = { readonly seen: boolean; readonly fault?: string };

/**
 * What people sign is a digest; it says something only when the text behind it is that of the very action, decision and terms that the
 * receipts state. Whoever holds the plane's key could otherwise show people one action and run another on their votes.
 */
export function judgeBasis(request: Request, decided: Decided | undefined, contents: Contents, sha256: Sha256): BasisFinding {
  const read = basisBehind(request, contents, sha256);
  if (typeof read === 'string') return { seen: true, fault: read };
  if (!read) return { seen: false };
  const fault = faultOfTerms(read, request) ?? faultOfAction(read, request, contents) ?? (decided && faultOfDecision(read, decided, contents));
  return fault === undefined ? { seen: true } : { seen: true, fault };
}

/** The text whose digest was signed, from what was held or from the receipt itself. Undefined: neither is here. A text: why it does not count. */
function basisBehind(request: Request, contents: Contents, sha256: Sha256): Basis | string | undefined {
  const content = request.held_digest && contents.get(request.held_digest);
  if (content !== undefined) {
    const held = parseHeldAction(content);
    if (!held.ok) return 'What was held cannot be read.';
    const text = basisOf(held.value);
    if (digestOf(sha256, canonicalBytes(text)) !== request.basis_digest) return 'What was held does not give the basis that people signed.';
    return readBasis(text) ?? 'The basis cannot be read.';
  }
  if (request.basis === undefined) return undefined;
  const bytes = utf8(request.basis);
  if (digestOf(sha256, bytes) !== request.basis_digest) return 'The basis is not the one whose digest people signed.';
  const named = parseDocument(outline, bytes, maxStatementBytes);
  if (!named.ok) return 'The basis cannot be read.';
  if (named.value.request !== request.approval || named.value.action.id !== request.action.id) return 'The basis is that of another request or action.';
  const read = parseDocument(basis, bytes, maxStatementBytes);
  return read.ok ? read.value : undefined;
}

const outline = z.looseObject({ request: z.string(), action: z.looseObject({ id: z.string() }) });

const texts = z.array(z.string());
const basis = z.looseObject({
  request: z.string(),
  session: z.string(),
  action: z.strictObject({ id: z.string(), tool: z.string(), operation: z.string(), parameters: jsonField }),
  transformed: jsonField.nullable(),
  impact: z.enum(impacts),
  policy_digest: z.string(),
  rules: z.array(z.looseObject({ id: z.string() })),
  labels: texts,
  identity: z.strictObject({
    human: z.string(), human_person: z.string().nullable(), service: z.string(), agent: z.string(), registered_by: z.string().nullable(), role: z.string(), scope: texts, delegation: texts,
  }),
  approvers: z.strictObject({
    groups: texts, all_groups: z.boolean(), quorum: z.int(), separation: z.boolean(), escalate: z.strictObject({ to: texts, after_s: z.int() }).exactOptional(),
  }),
  expires_at: z.string(),
});
type Basis = z.infer<typeof basis>;

function readBasis(value: Json): Basis | undefined {
  const read = basis.safeParse(value);
  return read.success ? read.data : undefined;
}

function faultOfTerms({ request: id, session, action, approvers, impact, expires_at, identity }: Basis, request: Request): string | undefined {
  if (id !== request.approval || action.id !== request.action.id || session !== request.session) return 'What was held is another request or action.';
  const routed = same(approvers.groups, request.approvers) && neededQuorum({ approvers, impact }) === request.quorum && approvers.separation === request.separation;
  if (!routed || expires_at !== request.expires_at) return 'The request asks other people, or until another time, than was held.';
  const barred = [...new Set([identity.human_person, identity.registered_by].filter((one) => one !== null))];
  return same(barred.sort(), [...request.excluded].sort()) ? undefined : 'The request excludes other people than was held.';
}

function faultOfAction({ action, transformed }: Basis, request: Request, contents: Contents): string | undefined {
  const asked = contents.get(request.action.digest);
  const { id: _id, ...shown } = action;
  if (asked !== undefined && !isOf(asked, asJson(shown), contents)) return 'People were shown another action than was decided.';
  if ((request.transformed_digest === undefined) !== (transformed === null)) return 'The action that people were shown was changed, or not, otherwise than the request says.';
  const changed = request.transformed_digest && contents.get(request.transformed_digest);
  if (changed === undefined || transformed === null) return undefined;
  return isOf(changed, asJson({ ...shown, parameters: transformed }), contents) ? undefined : 'People were shown another change of the action than would run.';
}

function faultOfDecision(shown: Basis, decided: Decided, contents: Contents): string | undefined {
  const { identity, impact, policy, determining, snapshot_digest } = decided;
  if (shown.impact !== impact || shown.policy_digest !== policy?.digest) return 'People were shown another impact or policy than was decided on.';
  if (!same(shown.rules.map(({ id }) => id), determining.map(({ id }) => id))) return 'People were shown other rules than decided.';
  const { human_person: _person, registered_by: _registrant, ...who } = shown.identity;
  const { session: _session, ...decidedFor } = identity;
  if (!same(who, decidedFor)) return 'People were shown another identity than was decided for.';
  const snapshot = snapshot_digest === null ? undefined : contents.get(snapshot_digest);
  const labels = isJsonObject(snapshot) ? snapshot['labels'] : undefined;
  const carried = isJsonArray(labels) ? labels.filter((label) => typeof label === 'string') : undefined;
  return carried && !same(shown.labels, [...new Set(carried)].sort()) ? 'People were shown other labels than the session had.' : undefined;
}

const same = (a: Parameters<typeof asJson>[0], b: Parameters<typeof asJson>[0]): boolean => canonicalJson(asJson(a)) === canonicalJson(asJson(b));

/** Whether the stored form, with sealed leaves, is that of the clear one. A seal whose value is not here may stand for anything. */
function isOf(stored: Json, clear: Json, contents: Contents): boolean {
  if (isSeal(stored)) {
    const inner = contents.get(stored.$sealed);
    return inner === undefined || canonicalJson(inner) === canonicalJson(clear);
  }
  if (isJsonArray(stored)) return isJsonArray(clear) && stored.length === clear.length && stored.every((item, at) => isOf(item, clear[at] ?? null, contents));
  if (!isJsonObject(stored)) return canonicalJson(stored) === canonicalJson(clear);
  const names = Object.keys(stored);
  return isJsonObject(clear) && Object.keys(clear).length === names.length && names.every((name) => Object.hasOwn(clear, name) && isOf(stored[name] ?? null, clear[name] ?? null, contents));
}
