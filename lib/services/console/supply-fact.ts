import { answerLength, isAnswerName } from '@/lib/approvals/asked-back';
import type { SuppliedFact } from '@/lib/approvals/supplied-fact';
import { verifySuppliedFact } from '@/lib/approvals/verify-supplied-fact';
import type { ContextEntry } from '@/lib/context/entry';
import type { SuppliedFactView, SupplyFactInput } from '@/lib/contracts/console/deferrals';
import type { Viewer } from '@/lib/contracts/console/viewer';
import { saltBytes } from '@/lib/ledger/content';
import type { ActionRow } from '@/lib/ports/action-store';
import type { ContentItem } from '@/lib/ports/content-store';
import type { SessionRow } from '@/lib/ports/session-store';
import type { LockedHead, Tx } from '@/lib/ports/transaction';
import { freshContent } from '@/lib/services/action-content';
import { storedMissing } from '@/lib/services/askable-fields';
import type { InForce } from '@/lib/services/in-force';
import { questionOf } from '@/lib/services/open-question';
import { chained } from '@/lib/services/permit-entry';
import { proveSession } from '@/lib/services/prove-session';
import { sessionStateAt } from '@/lib/services/session-state-at';
import { parseEnvelope, type Envelope } from '@/lib/shared/dsse';
import { digestOf, fromBase64 } from '@/lib/shared/encoding';
import { factTypeOf } from '@/lib/shared/fact-type';
import type { Json } from '@/lib/shared/json';
import { fail, ok, type Result } from '@/lib/shared/result';

import type { ConsoleParts } from './console-parts';
import { registrantOf, signatoryContext, signedStatement } from './person-signature';
import { sightOf } from './sight';
import { signedNow } from './signed-now';

/** Looks at most this often: each new look is caused by somebody else's commit, so it ends. */
const looks = 5;

type Look = { readonly inForce: InForce; readonly action: ActionRow; readonly row: SessionRow };

/**
 * A person answers what a deferred action waits for, with their signature: as the one it is for where the policy lists `requester` or
 * somebody asked back, or for a group of theirs. The plane then decides the session's deferred actions again. Failures: `not_found`, `conflict` (nobody
 * waits for that any more, or this very statement was used), `forbidden` (the policy does not list them), `invalid_input` (not of
 * the type that is asked for, or not the value that was signed), `session_closed`, `session_expired`, `ledger_broken`, and all of
 * `verifySuppliedFact`.
 */
export async function supplyFact(parts: ConsoleParts, viewer: Viewer, input: SupplyFactInput): Promise<Result<SuppliedFactView>> {
  const envelope = parseEnvelope(input.envelope);
  if (!envelope.ok) return envelope;
  for (let attempt = 0; attempt < looks; attempt++) {
    const look = await lookAt(parts, viewer, input, attempt > 0);
    if (!look.ok) {
      if (look.error.code === 'conflict') continue;
      return look;
    }
    // Judged once outside, so that garbage never takes the lock.
    const early = await judge(parts, viewer, envelope.value, input, look.value, await parts.reads.now());
    if (!early.ok) return early;
    if (await wasUsed(parts, look.value.row, envelope.value)) return usedBefore();
    const outcome = await parts.transactor.withHead((tx, head) => supply(parts, viewer, envelope.value, input, look.value, tx, head));
    if (outcome !== 'look again') return outcome;
  }
  return fail('unavailable', 'Too much is changing at once. Your answer was not recorded.', { fix: 'Sign again.' });
}

async function lookAt(parts: ConsoleParts, viewer: Viewer, { deferral }: SupplyFactInput, fresh: boolean): Promise<Result<Look>> {
  const id = await parts.reads.deferredAction(sightOf(viewer), deferral);
  const action = id === null ? undefined : (await parts.actions.find([id])).get(id);
  const row = action && (await parts.sessions.find([action.session])).get(action.session);
  if (!action || !row) return fail('not_found', 'Nothing waits under this id, or you may not see it.');
  const inForce = await (fresh ? parts.inForce.refresh() : parts.inForce.current());
  const entries = (await parts.sessions.entries(row.id, 0)).filter(({ seq }) => seq <= row.seq);
  const proven = await proveSession({ ...parts, reader: parts.log }, inForce, row, entries);
  return proven.ok ? ok({ inForce, action, row }) : proven;
}

type Judged = { readonly fact: SuppliedFact; readonly content: ContentItem | null; readonly value: Json };

async function judge(parts: ConsoleParts, viewer: Viewer, envelope: Envelope, input: SupplyFactInput, { inForce, action, row }: Look, now: string, tx?: Tx): Promise<Result<Judged>> {
  const context = await signatoryContext(parts, inForce, viewer, action.impact, tx);
  if (!context.ok) return context;
  const verified = await verifySuppliedFact(envelope, { ...context.value, session: row, registeredBy: registrantOf(inForce, row.agent) });
  if (!verified.ok) return verified;
  const fact = verified.value;
  const fresh = signedNow(fact.signed_at, now);
  if (!fresh.ok) return fresh;
  const state = sessionStateAt(row, inForce.policy?.compiled ?? null, now);
  if (state !== 'open') return fail(state === 'closed' ? 'session_closed' : 'session_expired', `Session ${row.id} is ${state}.`);
  const waiting = (await parts.approvals.deferralsOf([action.id], tx)).find(({ id }) => id === input.deferral);
  const asked = waiting?.id === fact.deferral ? storedMissing(waiting.missing).find(({ subject, attribute }) => subject === fact.subject && attribute === fact.name) : undefined;
  // Who answers what a person asked back is who was asked; who says anything else is for the policy to list.
  const isAnswer = waiting !== undefined && asked !== undefined && questionOf(waiting) !== null && fact.subject === `action:${action.id}` && isAnswerName(fact.name);
  const source = isAnswer ? { from: asked.suppliers, type: 'string' as const } : inForce.policy?.compiled.information.get(fact.name);
  if (source?.from.includes(fact.source) !== true) return fail('forbidden', `The policy does not list ${fact.source} for ${fact.name}.`);
  if (!asked || !waiting || waiting.expires_at <= now) return fail('conflict', 'Nobody waits for this fact any more.', { fix: 'Look at what is missing now.' });
  const content = contentOf(parts, fact, input);
  if (!content.ok) return content;
  const value = input.content?.value ?? null;
  const type = factTypeOf(value);
  if (isAnswer && typeof value === 'string' && (value.trim() === '' || value.length > answerLength)) return fail('invalid_input', `An answer has words, and at most ${String(answerLength)} characters.`);
  if (content.value !== null && (type === undefined || (source.type ?? type) !== type)) return fail('invalid_input', `${fact.name} is answered with a ${source.type ?? 'text, number, yes or no, or list of texts'}.`);
  return ok({ fact, content: content.value, value });
}

/** The value behind the digest that they signed, as it is stored. */
function contentOf({ cryptography }: ConsoleParts, { value_digest }: SuppliedFact, { content }: SupplyFactInput): Result<ContentItem | null> {
  if (content === null) return value_digest === null ? ok(null) : fail('invalid_input', 'The value that was signed is missing.');
  const salt = fromBase64(content.salt);
  const item = salt?.length === saltBytes ? freshContent(cryptography.sha256, salt, content.value) : null;
  return item !== null && item.digest === value_digest ? ok(item) : fail('invalid_input', 'The value is not the one that was signed.');
}

/** One statement, one answer: a copy of it that somebody sends again is not a second one. */
async function wasUsed(parts: ConsoleParts, row: SessionRow, envelope: Envelope, after = 0, tx?: Tx): Promise<boolean> {
  const digest = statementDigest(parts, envelope);
  return (await parts.sessions.entries(row.id, after, tx)).some(({ entry }) => entry.kind === 'attribute' && entry.statement === digest);
}

function statementDigest({ cryptography }: ConsoleParts, envelope: Envelope): string | undefined {
  const payload = fromBase64(envelope.payload);
  return payload && digestOf(cryptography.sha256, payload);
}

const usedBefore = (): Result<never> => fail('conflict', 'This statement was used before.', { fix: 'Sign a new one.' });

async function supply(parts: ConsoleParts, viewer: Viewer, envelope: Envelope, input: SupplyFactInput, look: Look, tx: Tx, head: LockedHead): Promise<Result<SuppliedFactView> | 'look again'> {
  const row = (await parts.sessions.find([look.row.id], tx)).get(look.row.id);
  if (!row) return fail('not_found', 'There is no such session.');
  if (head.epoch !== look.inForce.epoch) return 'look again';
  // What came since the look was written under this lock, by whoever proved the session then; a row set back is not gone on from.
  if (row.seq < look.row.seq || (row.seq === look.row.seq && row.head !== look.row.head)) return 'look again';
  const judged = await judge(parts, viewer, envelope, input, { ...look, row }, head.now, tx);
  if (!judged.ok) return judged;
  if (await wasUsed(parts, row, envelope, look.row.seq, tx)) return usedBefore();
  const { fact, content, value } = judged.value;
  const statement = signedStatement(parts.cryptography.sha256, envelope, fact.signer);
  if (!statement.ok) return statement;
  const { subject, name, source } = fact;
  const said: ContextEntry = {
    kind: 'attribute', at: head.now, subject, name, value, unavailable: content === null, source, observed_at: head.now, person: viewer.person, statement: statement.value.digest,
  };
  const entry = chained({ ids: parts.ids, sha256: parts.cryptography.sha256 }, { row }, said);
  const receipt = await parts.sign(
    'attributes_supplied',
    head.now,
    {
      session: row.id, attributes: [{ subject, name, source, observed_at: head.now, value_digest: content?.digest ?? null }], by: { kind: 'person', id: viewer.person },
      statement: statement.value, context_head: entry.hash, context_seq: entry.seq,
    },
    { session: row.id, agent: row.agent, person: viewer.person },
  );
  if (content) await parts.content.add(tx, [content]);
  await parts.ledger.append(tx, [receipt]);
  await parts.sessions.addEntries(tx, [entry]);
  await parts.sessions.moveHeads(tx, [{ session: row.id, from: row.head, to: entry.hash, seq: entry.seq, at: head.now }]);
  await parts.sessions.lookAgain(tx, row.id, head.now);
  await parts.events.publish(tx, [{ kind: 'session_changed', id: row.id }, { kind: 'action_changed', id: look.action.id }, { kind: 'log_grew', id: parts.workspace }]);
  return ok({ receipt: receipt.id, subject, name });
}
