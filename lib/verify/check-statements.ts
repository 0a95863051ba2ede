import { parseLowering } from '@/lib/approvals/parse-lowering';
import { loweringPayloadType } from '@/lib/approvals/lowering';
import { isPersonsSource } from '@/lib/approvals/supplied-fact';
import { verifyLowering } from '@/lib/approvals/verify-lowering';
import { readSigned, type SignatoryContext } from '@/lib/approvals/verify-signatory';
import { verifySuppliedFact } from '@/lib/approvals/verify-supplied-fact';
import { allowedKeyKinds } from '@/lib/authority/key-kinds';
import { personById } from '@/lib/authority/roster-lookup';
import type { TrustRoot } from '@/lib/authority/trust-root';
import type { Cryptography } from '@/lib/authority/verify-trust-root';
import { entryHash } from '@/lib/context/entry-hash';
import { isLowering } from '@/lib/context/label-ledger';
import type { ReceiptPredicate } from '@/lib/ledger/receipt-predicate';
import { envelopePayload } from '@/lib/shared/dsse';
import { digestOf } from '@/lib/shared/encoding';
import { isId, type DeferralId, type SessionId } from '@/lib/shared/ids';
import { keyKinds } from '@/lib/shared/keys';

import { inForceAt, ofKind, type Entry, type Placed } from './parse-entries';
import { failed, passed, type Check } from './report';
import type { PlacedRoster } from './roster-history';
import { rootAt, type PlacedRoot } from './trust-history';

type Signed = NonNullable<ReceiptPredicate<'attributes_supplied'>['statement']>;

type Evidence = {
  readonly entries: readonly Entry[];
  readonly roots: readonly PlacedRoot[];
  readonly rosters: readonly PlacedRoster[];
  /** For whom each session is, as far as its opening is in the bundle. */
  readonly humans: ReadonlyMap<SessionId, string>;
  readonly cryptography: Cryptography;
};

/**
 * By what persons loosened a session, beside votes: each lowered label is signed by an owner, on exactly the context that was there
 * before, and each fact that only a person may supply by that person, who may not be the one it is for unless it was theirs to say.
 * The step that a lowering adds to the session follows from its receipt, and is computed again.
 */
export async function checkStatements(entries: readonly Entry[], roots: readonly PlacedRoot[], rosters: readonly PlacedRoster[], cryptography: Cryptography): Promise<Check> {
  const humans = new Map(ofKind(entries, 'session_opened').map(({ predicate }) => [predicate.session, predicate.human]));
  const evidence: Evidence = { entries, roots, rosters, humans, cryptography };
  const lowerings = ofKind(entries, 'label_lowered');
  for (const lowering of lowerings) {
    const fault = await faultOfLowering(lowering, evidence);
    if (fault !== undefined) return failed('statements', fault, lowering.index);
  }
  const facts = ofKind(entries, 'attributes_supplied').filter(({ predicate }) => predicate.statement || predicate.by.kind === 'person' || predicate.attributes.some(({ source }) => isPersonsSource(source)));
  for (const fact of facts) {
    const fault = await faultOfFact(fact, evidence);
    if (fault !== undefined) return failed('statements', fault, fact.index);
  }
  return passed('statements', lowerings.length + facts.length === 0 ? 'None.' : `Lowered labels: ${String(lowerings.length)}. Facts of people: ${String(facts.length)}.`);
}

async function faultOfLowering({ index, predicate }: Placed<'label_lowered'>, evidence: Evidence): Promise<string | undefined> {
  const { sha256 } = evidence.cryptography;
  const { session, label, to, person, reason, statement, at } = predicate;
  const said = readSigned(statement.envelope, loweringPayloadType, parseLowering);
  if (!said.ok) return said.error.detail;
  const { head } = said.value.context;
  const step = { kind: 'lowering', at, label, to, person, statement: statement.digest } as const;
  if (entryHash(sha256, head, step, predicate.context_seq) !== predicate.context_head) return 'The session’s next step is not this lowering, on the context that was signed.';
  const context = signatories(index, evidence, (root) => allowedKeyKinds(root, 'critical'));
  const verified = await verifyLowering(statement.envelope, { ...context, session: { id: session, human: evidence.humans.get(session) ?? '', head, seq: predicate.context_seq - 1 }, registeredBy: null });
  if (!verified.ok) return verified.error.detail;
  const same = verified.value.label === label && verified.value.to === to && verified.value.signer.person === person && verified.value.reason === reason;
  if (!same || !isLowering(label, to)) return 'The receipt states another lowering than the signature.';
  return faultOfEnvelope(statement, verified.value.signer, evidence);
}

async function faultOfFact({ index, predicate }: Placed<'attributes_supplied'>, evidence: Evidence): Promise<string | undefined> {
  const { session, attributes, statement, by } = predicate;
  const [attribute] = attributes;
  if (!statement || !attribute || attributes.length !== 1) return 'A fact that only a person may supply, without that person’s signature.';
  const context = signatories(index, evidence, () => keyKinds);
  // Without the session's opening in the bundle, whose it is has to be taken from the fact.
  const own = attribute.source === 'requester' && by.kind === 'person' && isId('person', by.id) ? context.person(by.id)?.email : undefined;
  const verified = await verifySuppliedFact(statement.envelope, { ...context, session: { id: session, human: evidence.humans.get(session) ?? own ?? '' }, registeredBy: null });
  if (!verified.ok) return verified.error.detail;
  const { subject, name, source, value_digest, deferral, signer } = verified.value;
  const same = subject === attribute.subject && name === attribute.name && source === attribute.source && value_digest === attribute.value_digest && by.kind === 'person' && by.id === signer.person;
  if (!same) return 'The receipt states another fact than the signature.';
  const asked = faultOfQuestion(deferral, index, signer.key_kind, evidence);
  return asked ?? faultOfEnvelope(statement, signer, evidence);
}

/** The deferral had been opened, had not ended, and its action's impact lets this kind of key answer; as far as the bundle shows. */
function faultOfQuestion(deferral: DeferralId, index: number, kind: (typeof keyKinds)[number], { entries, roots }: Evidence): string | undefined {
  const opened = ofKind(entries, 'deferral_opened').find(({ predicate }) => predicate.deferral === deferral);
  const ended = ofKind(entries, 'deferral_resolved').find(({ predicate }) => predicate.deferral === deferral);
  if (ended && ended.index < index) return 'The fact answers a question that had ended.';
  if (!opened) return undefined;
  if (opened.index > index) return 'The fact answers a question before it was asked.';
  const decided = ofKind(entries, 'action_decided').findLast((one) => one.index < index && one.predicate.action.id === opened.predicate.action.id);
  const impact = decided?.predicate.impact;
  const root = rootAt(roots, index);
  return impact && root && !allowedKeyKinds(root, impact).includes(kind) ? `The trust root does not let a ${kind} key answer for ${impact} impact.` : undefined;
}

function faultOfEnvelope({ digest, envelope, key }: Signed, signer: { readonly key: string; readonly key_kind: string }, { cryptography }: Evidence): string | undefined {
  const payload = envelopePayload(envelope);
  if (!payload || digestOf(cryptography.sha256, payload) !== digest) return 'The receipt names another statement than it holds.';
  return key.id === signer.key && key.kind === signer.key_kind ? undefined : 'The receipt names another key than the signature.';
}

function signatories(index: number, { roots, rosters, cryptography }: Evidence, kinds: (root: TrustRoot) => SignatoryContext['keyKinds']): SignatoryContext {
  const roster = inForceAt(rosters, index)?.roster;
  const root = rootAt(roots, index);
  return { person: (id) => (roster ? personById(roster, id) : undefined), keyKinds: root ? kinds(root) : [], verify: cryptography.verify };
}
