import { signLowering, loweringSchema, type LoweringStatement } from '@/lib/approvals/lowering';
import { signSuppliedFact, suppliedFactSchema, type SuppliedFact } from '@/lib/approvals/supplied-fact';
import { contentItem, saltBytes } from '@/lib/ledger/content';
import type { SigningKey } from '@/lib/server/ed25519';
import { nodeSha256 } from '@/lib/server/node-sha256';
import { envelopeText } from '@/lib/shared/dsse';
import type { DeferralId, PersonId, SessionId } from '@/lib/shared/ids';
import type { Json } from '@/lib/shared/json';
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

export const sessionId = (text: string): SessionId => text as SessionId;
