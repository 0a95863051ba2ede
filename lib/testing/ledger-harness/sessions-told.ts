import { answerName } from '@/lib/approvals/asked-back';
import { signLowering, loweringSchema } from '@/lib/approvals/lowering';
import { signSuppliedFact, suppliedFactSchema } from '@/lib/approvals/supplied-fact';
import { later } from '@/lib/services/later';
import { envelopePayload, type Envelope } from '@/lib/shared/dsse';
import { digestOf } from '@/lib/shared/encoding';
import { keyId, type DeferralId } from '@/lib/shared/ids';

import { nodeSha256 as sha256 } from '../node-crypto';
import type { Held } from './approvals-told';
import type { Teller } from './teller';
import { agent, human, ToldSession } from './told-session';

export const desk = { kind: 'orchestrator', id: 'desk' } as const;
const salt = (teller: Teller): string => Buffer.from(teller.ids.salt()).toString('base64');
const nonce = 'fedcba9876543210fedcba9876543210';

/** The user's own session. */
export function openSession(teller: Teller, label: string, text: string): ToldSession {
  const session = new ToldSession(teller, teller.ids.make('session'));
  const after = session.step({ kind: 'request', at: teller.now, text, assurance: 'orchestrator', salt: salt(teller) });
  teller.tell(label, 'session_opened', {
    session: session.id, human, service: 'desk', agent, role: 'assistant', scope: [], delegation: [], request_digest: teller.content(text), request_assurance: 'orchestrator',
    expires_at: later(teller.now, 36_000), ...after,
  });
  return session;
}

/** A session under another, which ends before it. */
export function openAndCloseChild(parent: ToldSession): void {
  const { teller } = parent;
  const at = parent.head;
  const lineage = { parent: parent.id, parent_head: at.context_head, parent_seq: at.context_seq, delegation: [{ session: parent.id, agent, family_n: 0 }], began_at: teller.now };
  const child = new ToldSession(teller, teller.ids.make('session'), { parent, lineage });
  const after = child.step({ kind: 'inherited', at: teller.now, ...lineage });
  teller.tell('child opened', 'session_opened', {
    session: child.id, human, service: 'desk', agent, role: 'assistant', scope: [], delegation: [parent.id], parent: { session: parent.id, ...at },
    task_digest: teller.content('Look at the notes.'), request_assurance: 'orchestrator', expires_at: later(teller.now, 3600), ...after,
  });
  const opened = parent.step({ kind: 'delegation', at: teller.now, child: child.id, event: 'opened' });
  teller.tell('parent learns of child', 'delegation_recorded', { session: parent.id, child: child.id, event: 'opened', by: desk, ...opened });
  teller.tell('child closed', 'session_closed', { session: child.id, cause: 'closed', by: desk, ...child.head });
  const ended = parent.step({ kind: 'delegation', at: teller.now, child: child.id, event: 'ended' });
  teller.tell('parent learns of end', 'delegation_recorded', { session: parent.id, child: child.id, event: 'ended', by: desk, ...ended });
}

export function addMessage(session: ToldSession, text: string) {
  const { teller } = session;
  const after = session.step({ kind: 'request', at: teller.now, text, assurance: 'orchestrator', salt: salt(teller) });
  const message_digest = teller.content(text);
  teller.tell('message', 'message_recorded', { session: session.id, message_digest, by: desk, ...after });
  return message_digest;
}

/** An information point says whose something is. */
export function supply(session: ToldSession, label: string, subject: string, value: string): void {
  const { teller } = session;
  const fact = { subject, name: 'owner', source: 'ip:records', observed_at: teller.now } as const;
  const after = session.step({ kind: 'attribute', at: teller.now, ...fact, value, unavailable: false, salt: salt(teller) });
  teller.tell(label, 'attributes_supplied', { session: session.id, attributes: [{ ...fact, value_digest: teller.content(value) }], by: { kind: 'information_point', id: 'records' }, ...after });
}

/** The orchestrator answers what a person asked back about a held action. */
export function reply(session: ToldSession, { judged }: Held, value: string): void {
  const { teller } = session;
  const fact = { subject: `action:${judged.id}`, name: answerName(1), source: 'orchestrator:desk', observed_at: teller.now } as const;
  const after = session.step({ kind: 'attribute', at: teller.now, ...fact, value, unavailable: false, salt: salt(teller) });
  teller.tell('question answered', 'attributes_supplied', { session: session.id, attributes: [{ ...fact, value_digest: teller.content(value) }], by: desk, ...after });
}

/** A person answers what a deferral asks, with their key. */
export async function answer(session: ToldSession, deferral: DeferralId, subject: string, value: string): Promise<void> {
  const { teller } = session;
  const { people, keys } = teller.cast;
  const key = { id: keyId(keys.abe.signer.keyId), kind: 'browser-ed25519' } as const;
  const value_digest = teller.content(value);
  const fact = { subject, name: 'owner', source: 'group:data-owner' } as const;
  const envelope = await signSuppliedFact(
    { schema: suppliedFactSchema, session: session.id, deferral, ...fact, value_digest, nonce, signer: { person: people.abe, key: key.id, key_kind: key.kind }, signed_at: teller.now },
    keys.abe.signer,
  );
  const statement = { digest: payloadDigest(envelope), envelope, key };
  const after = session.step({ kind: 'attribute', at: teller.now, ...fact, value, unavailable: false, observed_at: teller.now, person: people.abe, statement: statement.digest, salt: salt(teller) });
  teller.byConsole('fact of a person', 'attributes_supplied', {
    session: session.id, attributes: [{ ...fact, observed_at: teller.now, value_digest }], by: { kind: 'person', id: people.abe }, statement, ...after,
  });
}

/** An owner lowers a label of the session, on exactly its context of now. */
export async function lower(session: ToldSession, label: string): Promise<void> {
  const { teller } = session;
  const { people, keys } = teller.cast;
  const key = { id: keyId(keys.owner.signer.keyId), kind: 'file-ed25519' } as const;
  const { context_head: head, context_seq: seq } = session.head;
  const reason = 'The records are made up.';
  const envelope = await signLowering(
    { schema: loweringSchema, session: session.id, label, to: null, context: { head, seq }, reason, nonce, signer: { person: people.owner, key: key.id, key_kind: key.kind }, signed_at: teller.now },
    keys.owner.signer,
  );
  const digest = payloadDigest(envelope);
  const after = session.step({ kind: 'lowering', at: teller.now, label, to: null, person: people.owner, statement: digest });
  teller.byConsole('label lowered', 'label_lowered', { session: session.id, label, to: null, person: people.owner, reason, statement: { digest, envelope, key }, ...after });
}

const payloadDigest = (envelope: Envelope) => digestOf(sha256, envelopePayload(envelope) ?? new Uint8Array());
