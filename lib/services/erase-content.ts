import { sealsIn } from '@/lib/ledger/content';
import { contentReferences } from '@/lib/ledger/content-references';
import { erasedAtOnce } from '@/lib/ledger/predicates/contents';
import type { Actor } from '@/lib/ledger/predicates/fields';
import { readStatement } from '@/lib/ledger/statement';
import type { ActionStore } from '@/lib/ports/action-store';
import type { ContentStore } from '@/lib/ports/content-store';
import type { ErasureStore } from '@/lib/ports/erasure-store';
import type { EventBus } from '@/lib/ports/event-bus';
import type { LedgerReader } from '@/lib/ports/ledger-reader';
import type { LedgerStore, SignedReceipt } from '@/lib/ports/ledger-store';
import type { Transactor } from '@/lib/ports/transaction';
import { parseEnvelope } from '@/lib/shared/dsse';
import type { Sha256 } from '@/lib/shared/encoding';
import type { ActionId, Digest, SessionId, WorkspaceId } from '@/lib/shared/ids';
import { fail, ok, type Result } from '@/lib/shared/result';

import { erasePlan, type ErasePlan, type EraseTarget, type PlacedBody } from './erase-plan';
import type { SignReceipt } from './sign-receipt';

export type EraseParts = {
  readonly workspace: WorkspaceId;
  readonly cryptography: { readonly sha256: Sha256 };
  readonly sign: SignReceipt;
  readonly transactor: Transactor;
  readonly ledger: LedgerStore;
  readonly log: LedgerReader;
  readonly content: ContentStore;
  readonly actions: ActionStore;
  readonly erasures: ErasureStore;
  readonly events: EventBus;
};

/** A session with all under it (`alone`: without them), one action, or one content item of a session. */
export type EraseWanted = (
  | { readonly session: SessionId; readonly alone?: boolean }
  | { readonly action: ActionId }
  | { readonly content: Digest; readonly session: SessionId }
) & { readonly cause: 'asked' | 'retention'; readonly reason: string };

export type Erased = { readonly contents: number; readonly entries: number; readonly receipts: number };

const rowsAtOnce = 1000;

/**
 * Deletes contents with their salts, and every text in the database that repeats them, in the transaction of the receipt that says so.
 * What was signed stays whole: digests, proofs and the log are as before, and a verifier counts what is gone as erased. Only what has
 * ended can be erased, since what still waits is decided by what it would lose. Failures: `not_found` (no such thing, or nothing
 * of it is left), `conflict` (the session is open, or something in it still waits), `ledger_broken`.
 */
export async function eraseContent(parts: EraseParts, by: Actor, wanted: EraseWanted): Promise<Result<Erased>> {
  const session = 'action' in wanted ? (await parts.actions.find([wanted.action])).get(wanted.action)?.session : wanted.session;
  const family = session === undefined ? [] : await parts.erasures.family(session);
  if (session === undefined || family.length === 0) return fail('not_found', 'action' in wanted ? 'There is no such action.' : 'There is no such session.');
  const sessions = 'alone' in wanted && wanted.alone === true ? [session] : family.map(({ id }) => id);
  const bodies = await bodiesOf(parts, sessions);
  if (!bodies.ok) return bodies;
  const target: EraseTarget =
    'action' in wanted ? { kind: 'action', action: wanted.action } : 'content' in wanted ? { kind: 'content', digest: wanted.content } : { kind: 'sessions', sessions };
  const plan = erasePlan(bodies.value, target, await sealsOf(parts, bodies.value));
  const whole = target.kind === 'sessions';
  return await parts.transactor.withHead(async (tx, { now }) => {
    const faulty = (await parts.erasures.family(session, tx)).find(({ id, state }) => state === 'open' && sessions.includes(id));
    if (faulty) return fail('conflict', `Session ${faulty.id} is open.`, { fix: 'Close it first: what is decided in it rests on this content.' });
    const [waiting] = await parts.erasures.unfinished(tx, sessions);
    if (waiting !== undefined) return fail('conflict', `Action ${waiting} has not ended.`, { fix: 'Deny or withdraw it, or wait for its outcome, then erase.' });
    const actions = whole ? actionsIn(bodies.value) : plan.actions;
    const gone = await parts.erasures.erase(tx, { contents: [...plan.contents], steps: whole ? [] : plan.steps, sessions: whole ? sessions : [], actions: [...actions], requests: [...plan.requests] });
    if (gone.contents.length === 0 && gone.entries === 0) return fail('not_found', 'Nothing of it is left to erase.');
    const about = { cause: wanted.cause, reason: wanted.reason, by, session, ...('action' in wanted ? { erased_action: wanted.action } : {}) };
    const receipts = await erasureReceipts(parts, about, gone, now);
    await parts.ledger.append(tx, receipts);
    await parts.events.publish(tx, [{ kind: 'session_changed', id: session }, { kind: 'log_grew', id: parts.workspace }]);
    return ok({ contents: gone.contents.length, entries: gone.entries, receipts: receipts.length });
  });
}

/** Sessions that ended before `at`, one by one, each with a receipt of its own; `limit` bounds one run. Stops at the first that cannot be. */
export async function eraseEndedBefore(parts: EraseParts, by: Actor, wanted: { readonly at: string; readonly reason: string; readonly limit: number }): Promise<Result<Erased & { readonly sessions: number }>> {
  const sum = { contents: 0, entries: 0, receipts: 0, sessions: 0 };
  for (const session of await parts.erasures.endedBefore(wanted.at, wanted.limit)) {
    const erased = await eraseContent(parts, by, { session, alone: true, cause: 'retention', reason: wanted.reason });
    if (!erased.ok) return erased;
    sum.contents += erased.value.contents;
    sum.entries += erased.value.entries;
    sum.receipts += erased.value.receipts;
    sum.sessions += 1;
  }
  return ok(sum);
}

async function bodiesOf({ log, cryptography }: EraseParts, sessions: readonly SessionId[]): Promise<Result<readonly PlacedBody[]>> {
  const bodies: PlacedBody[] = [];
  for (const session of sessions) {
    let before: bigint | undefined;
    do {
      const page = await log.search({ session }, { limit: rowsAtOnce, ...(before === undefined ? {} : { before }) });
      for (const row of page.rows) {
        const envelope = parseEnvelope(row.envelope);
        const body = envelope.ok ? readStatement(cryptography.sha256, envelope.value) : envelope;
        if (!body.ok) return fail('ledger_broken', `The receipt at ${String(row.index)} cannot be read: ${body.error.detail}`, { fix: 'Run "countersign fsck".' });
        bodies.push({ index: Number(row.index), body: body.value });
      }
      before = page.next ?? undefined;
    } while (before !== undefined);
  }
  return ok(bodies.sort((a, b) => a.index - b.index));
}

/** Of every content that these receipts name, the digests of the sensitive values inside. */
async function sealsOf({ content }: EraseParts, bodies: readonly PlacedBody[]): Promise<(digest: Digest) => readonly Digest[]> {
  const named = [...new Set(bodies.flatMap(({ body }) => contentReferences(body)))];
  const seals = new Map<Digest, readonly Digest[]>();
  for (let at = 0; at < named.length; at += rowsAtOnce) {
    for (const [digest, { value }] of await content.find(named.slice(at, at + rowsAtOnce))) seals.set(digest, sealsIn(value));
  }
  return (digest) => seals.get(digest) ?? [];
}

const actionsIn = (bodies: readonly PlacedBody[]): ErasePlan['actions'] =>
  new Set(bodies.flatMap(({ body }) => (body.kind === 'action_decided' ? [body.predicate.action.id] : [])));

/** One receipt, or as many as the digests need: none is larger than a receipt may be. */
async function erasureReceipts(
  { sign }: EraseParts,
  about: { readonly cause: 'asked' | 'retention'; readonly reason: string; readonly by: Actor; readonly session: SessionId; readonly erased_action?: ActionId },
  gone: { readonly contents: readonly Digest[]; readonly entries: number },
  now: string,
): Promise<readonly SignedReceipt[]> {
  const receipts: SignedReceipt[] = [];
  for (let at = 0; at === 0 || at < gone.contents.length; at += erasedAtOnce) {
    const body = { ...about, digests: gone.contents.slice(at, at + erasedAtOnce), entries: at === 0 ? gone.entries : 0 };
    receipts.push(await sign('content_erased', now, body, { session: about.session, ...(about.by.kind === 'person' ? { person: about.by.id } : {}) }));
  }
  return receipts;
}
