import { signLowering, loweringSchema, type LoweringStatement } from '@/lib/approvals/lowering';
import type { SigningKey } from '@/lib/server/ed25519';
import { envelopeText } from '@/lib/shared/dsse';
import type { PersonId, SessionId } from '@/lib/shared/ids';
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

export const sessionId = (text: string): SessionId => text as SessionId;
