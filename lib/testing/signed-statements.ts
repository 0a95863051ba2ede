import { editSchema, signEdit, type EditStatement } from '@/lib/approvals/edit';
import { signLowering, loweringSchema, type LoweringStatement } from '@/lib/approvals/lowering';
import { signSuppliedFact, suppliedFactSchema, type SuppliedFact } from '@/lib/approvals/supplied-fact';
import { contentItem, saltBytes } from '@/lib/ledger/content';
import type { EditInput } from '@/lib/contracts/console/approvals';
import type { SigningKey } from '@/lib/server/ed25519';
import { nodeSha256 } from '@/lib/server/node-sha256';
import { envelopeText } from '@/lib/shared/dsse';
import { canonicalJson } from '@/lib/shared/canonical-json';
import type { ApprovalId, DeferralId, Digest, PersonId, SessionId } from '@/lib/shared/ids';
import type { Json, JsonObject } from '@/lib/shared/json';
import type { KeyKind } from '@/lib/shared/keys';
import type { SessionStore } from '@/lib/ports/session-store';

export type Signing = { readonly person: PersonId; readonly key: SigningKey; readonly kind?: KeyKind };

/** A lowering as an owner's browser signs it, on the session as it is now; `changes` alter the statement before it is signed. */
export async function signedLowering(
  sessions: Pick<SessionStore, 'find'>,
  { person, key, kind = 'file-ed25519' }: Signing,
  wanted: Pick<LoweringStatement, 'session' | 'label' | 'to'>,
  changes: Partial<LoweringStatement> = {},
): Promise<string> {
  const row = (await sessions.find([wanted.session])).get(wanted.session);
  if (!row) throw new Error('No session.');
  const statement: LoweringStatement = {
    schema: loweringSchema, ...wanted, context: { head: row.head, seq: row.seq }, reason: 'The table holds made-up people.',
    nonce: '0123456789abcdef0123456789abcdef', signer: { person, key: key.id, key_kind: kind }, signed_at: new Date().toISOString(), ...changes,
  };
  return envelopeText(await signLowering(statement, key.signer));
}

/** A fact as a person's browser signs it, with the value that goes beside it; null: there is none. `changes` alter the statement before it is signed. */
export async function signedFact(
  { person, key, kind = 'browser-ed25519' }: Signing,
  wanted: Pick<SuppliedFact, 'session' | 'deferral' | 'subject' | 'name' | 'source'>,
  value: Json,
  changes: Partial<SuppliedFact> = {},
): Promise<{ readonly deferral: DeferralId; readonly envelope: string; readonly content: { readonly salt: string; readonly value: Json } | null }> {
  const content = value === null ? null : contentItem(nodeSha256, new Uint8Array(saltBytes).fill(7), value);
  const fact: SuppliedFact = {
    schema: suppliedFactSchema, ...wanted, value_digest: content?.digest ?? null, nonce: '0123456789abcdef0123456789abcdef',
    signer: { person, key: key.id, key_kind: kind }, signed_at: new Date().toISOString(), ...changes,
  };
  return { deferral: wanted.deferral, envelope: envelopeText(await signSuppliedFact(fact, key.signer)), content: content && { salt: content.salt, value } };
}

/** An edit as an approver's browser signs it, with the parameters that go beside it. `changes` alter the statement before it is signed. */
export async function signedEdit(
  { person, key, kind = 'browser-ed25519' }: Signing,
  { approval, basis_digest }: { readonly approval: ApprovalId; readonly basis_digest: Digest },
  parameters: JsonObject,
  changes: Partial<EditStatement> = {},
): Promise<EditInput> {
  const content = contentItem(nodeSha256, new Uint8Array(saltBytes).fill(7), parameters);
  const statement: EditStatement = {
    schema: editSchema, request: approval, basis_digest, parameters_digest: content.digest, nonce: '0123456789abcdef0123456789abcdef',
    signer: { person, key: key.id, key_kind: kind }, signed_at: new Date().toISOString(), ...changes,
  };
  return { approval, envelope: envelopeText(await signEdit(statement, key.signer)), content: { salt: content.salt, parameters: canonicalJson(parameters) } };
}

export const sessionId = (text: string): SessionId => text as SessionId;
