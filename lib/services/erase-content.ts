import { sealsIn } from '@/lib/ledger/content';
import { actionReferences } from '@/lib/ledger/content-references';
import { erasedAtOnce } from '@/lib/ledger/predicates/contents';
import type { Actor } from '@/lib/ledger/predicates/fields';
import { readStatement } from '@/lib/ledger/statement';
import type { ActionStore } from '@/lib/ports/action-store';
import type { ContentStore } from '@/lib/ports/content-store';
import type { ErasureStore } from '@/lib/ports/erasure-store';
import type { EventBus } from '@/lib/ports/event-bus';
import type { LedgerReader } from '@/lib/ports/ledger-reader';
import type { LedgerStore, SignedReceipt } from '@/lib/ports/ledger-store';
import type { Transactor, Tx } from '@/lib/ports/transaction';
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
/** Looks at most this often: each new look is caused by somebody else's commit. */
const looks = 5;

/**
 * Deletes contents with their salts, and every text in the database that repeats them, in the transaction of the receipt that says so.
 * What was signed stays whole: digests, proofs and the log are as before, and a verifier counts what is gone as erased. Only what has
 * ended can be erased, since what still waits is decided by what it would lose. Failures: `not_found` (no such thing, or nothing
 * of it is left), `conflict` (the session is open, or something in it still waits), `unavailable` (it kept changing), `ledger_broken`.
 */
export async function eraseContent(parts: EraseParts, by: Actor, wanted: EraseWanted): Promise<Result<Erased>> {
  for (let attempt = 0; attempt < looks; attempt++) {
    const look = await lookAt(parts, wanted);
    if (!look.ok) return look;
    const erased = await parts.transactor.withHead((tx, { now }) => eraseOnce(parts, by, wanted, look.value, tx, now));
    if (erased !== 'look again') return erased;
  }
  return fail('unavailable', 'Too much is changing at once. Nothing was erased.', { fix: 'Erase again.' });
}

type Look = {
  readonly session: SessionId;
  readonly sessions: readonly SessionId[];
  readonly whole: boolean;
  readonly plan: ErasePlan;
  /** The newest receipt of each of the sessions that the plan knows. */
  readonly newest: ReadonlyMap<SessionId, number>;
};

async function lookAt(parts: EraseParts, wanted: EraseWanted): Promise<Result<Look>> {
  const session = 'action' in wanted ? (await parts.actions.find([wanted.action])).get(wanted.action)?.session : wanted.session;
  const sessions = session === undefined ? [] : await sessionsOf(parts, session, wanted);
  if (session === undefined || sessions.length === 0) return fail('not_found', 'action' in wanted ? 'There is no such action.' : 'There is no such session.');
  const bodies: PlacedBody[] = [];
  const newest = new Map<SessionId, number>();
  for (const one of sessions) {
    const found = await bodiesOf(parts, one);
    if (!found.ok) return found;
    bodies.push(...found.value);
    newest.set(one, found.value[0]?.index ?? -1);
  }
  bodies.sort((a, b) => a.index - b.index);
  const target: EraseTarget =
    'action' in wanted ? { kind: 'action', action: wanted.action } : 'content' in wanted ? { kind: 'content', digest: wanted.content } : { kind: 'sessions', sessions };
  const plan = erasePlan(bodies, target, await sealsOf(parts, bodies));
  const whole = target.kind === 'sessions';
  return ok({ session, sessions, whole, newest, plan: whole ? { ...plan, steps: [], actions: actionsIn(bodies) } : plan });
}

async function sessionsOf({ erasures }: EraseParts, session: SessionId, wanted: EraseWanted, tx?: Tx): Promise<readonly SessionId[]> {
  const family = (await erasures.family(session, tx)).map(({ id }) => id);
  return 'alone' in wanted && wanted.alone === true ? family.filter((id) => id === session) : family;
}

async function eraseOnce(parts: EraseParts, by: Actor, wanted: EraseWanted, look: Look, tx: Tx, now: string): Promise<Result<Erased> | 'look again'> {
  const { session, sessions, whole, plan } = look;
  const open = (await parts.erasures.family(session, tx)).find(({ id, state }) => state === 'open' && sessions.includes(id));
  if (open) return fail('conflict', `Session ${open.id} is open.`, { fix: 'Close it first: what is decided in it rests on this content.' });
  const [waiting] = await parts.erasures.unfinished(tx, sessions);
  if (waiting !== undefined) return fail('conflict', `Action ${waiting} has not ended.`, { fix: 'Deny or withdraw it, or wait for its outcome, then erase.' });
  // What ended between the look and the lock has receipts that the plan has not read: what they name would stay.
  if (await hasMoved(parts, wanted, look, tx)) return 'look again';
  const gone = await parts.erasures.erase(tx, { contents: [...plan.contents], steps: plan.steps, sessions: whole ? sessions : [], actions: [...plan.actions], requests: [...plan.requests] });
  if (gone.contents.length === 0 && gone.entries === 0) return fail('not_found', 'Nothing of it is left to erase.');
  const about = { cause: wanted.cause, reason: wanted.reason, by, session, ...('action' in wanted ? { erased_action: wanted.action } : {}) };
  const receipts = await erasureReceipts(parts, about, gone, now);
  await parts.ledger.append(tx, receipts);
  await parts.events.publish(tx, [{ kind: 'session_changed', id: session }, { kind: 'log_grew', id: parts.workspace }]);
  return ok({ contents: gone.contents.length, entries: gone.entries, receipts: receipts.length });
}

/** Under the head's lock nothing is appended, so what any connection reads of the log is all there is. */
async function hasMoved(parts: EraseParts, wanted: EraseWanted, { session, newest }: Look, tx: Tx): Promise<boolean> {
  const sessions = await sessionsOf(parts, session, wanted, tx);
  if (sessions.length !== newest.size) return true;
  for (const one of sessions) {
    const [last] = (await parts.log.search({ session: one }, { limit: 1 })).rows;
    if (Number(last?.index ?? -1) !== newest.get(one)) return true;
  }
  return false;
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

/** Newest first. */
async function bodiesOf({ log, cryptography }: EraseParts, session: SessionId): Promise<Result<readonly PlacedBody[]>> {
  const bodies: PlacedBody[] = [];
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
  return ok(bodies);
}

/** Of every action that these receipts name, the digests of the sensitive values inside. */
async function sealsOf({ content }: EraseParts, bodies: readonly PlacedBody[]): Promise<(digest: Digest) => readonly Digest[]> {
  const named = [...new Set(bodies.flatMap(({ body }) => actionReferences(body)))];
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
