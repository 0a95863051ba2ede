import type { ActionRow, ActionStore } from '@/lib/ports/action-store';
import type { ApprovalStore } from '@/lib/ports/approval-store';
import type { ContentStore } from '@/lib/ports/content-store';
import type { CredentialStore } from '@/lib/ports/credential-store';
import type { EventBus } from '@/lib/ports/event-bus';
import type { LedgerStore } from '@/lib/ports/ledger-store';
import type { SessionRow, SessionStore } from '@/lib/ports/session-store';
import type { LockedHead, Transactor, Tx } from '@/lib/ports/transaction';
import type { ActionId, SessionId } from '@/lib/shared/ids';

import type { CommitOutcome, Draft, Staleness } from './draft';

export type CommitStores = {
  readonly transactor: Transactor;
  readonly ledger: LedgerStore;
  readonly content: ContentStore;
  readonly sessions: SessionStore;
  readonly actions: ActionStore;
  readonly approvals: ApprovalStore;
  readonly credentials: CredentialStore;
  readonly events: EventBus;
};

/** Signs the tree head that a batch leaves behind (a C2SP checkpoint). Only the plane has that key. */
export type SignCheckpoint = (size: bigint, root: Uint8Array) => Promise<string>;

export type GroupCommit = { readonly submit: (draft: Draft) => Promise<CommitOutcome> };

type Waiting = { readonly draft: Draft; readonly resolve: (outcome: CommitOutcome) => void; readonly reject: (cause: unknown) => void };

/** Drafts in one transaction at most: bounds how long the head lock is held. */
const batchSize = 128;

/**
 * One transaction for all drafts that arrived while the one before was being written. The promise of `submit` settles
 * only after the transaction is durable: an answer never leaves before its receipt. A crash anywhere in between loses
 * drafts that nobody was told about, and nothing else.
 */
export function groupCommit(stores: CommitStores, signCheckpoint: SignCheckpoint | null): GroupCommit {
  const queue: Waiting[] = [];
  let running = false;

  async function drain(): Promise<void> {
    running = true;
    while (queue.length > 0) await settle(queue.splice(0, batchSize));
    running = false;
  }

  async function settle(batch: readonly Waiting[]): Promise<void> {
    try {
      const outcomes = await commitTogether(stores, signCheckpoint, batch.map(({ draft }) => draft));
      batch.forEach(({ resolve }, at) => resolve(outcomes[at] ?? { state: 'stale', why: 'session' }));
    } catch (cause) {
      const [only] = batch;
      if (batch.length === 1 && only) return only.reject(cause);
      if (mayHaveCommitted(cause)) return batch.forEach(({ reject }) => reject(cause));
      // One bad draft must not take its neighbours with it: each is tried by itself.
      for (const waiting of batch) await settle([waiting]);
    }
  }

  return {
    submit: (draft) =>
      new Promise((resolve, reject) => {
        queue.push({ draft, resolve, reject });
        // A turn of the event loop lets requests that are being read join the batch.
        if (!running) {
          running = true;
          setImmediate(() => void drain());
        }
      }),
  };
}

/** True when the connection broke while committing: whether it is durable is not known, so nothing is tried again. */
const mayHaveCommitted = (cause: unknown): boolean => cause instanceof Error && cause.name === 'CommitUnknown';

function commitTogether(stores: CommitStores, signCheckpoint: SignCheckpoint | null, drafts: readonly Draft[]): Promise<readonly CommitOutcome[]> {
  return stores.transactor.withHead(async (tx, head) => {
    const outdated = await findOutdated(stores, tx, head, drafts);
    const holding = drafts.filter((_, at) => outdated[at] === null);
    if (holding.length === 0) return outdated.map((why) => ({ state: 'stale', why: why ?? 'session' }));
    const first = await write(stores, tx, holding);
    if (signCheckpoint) {
      const { size, root } = await stores.ledger.head(tx);
      await stores.ledger.addCheckpoint(tx, size, await signCheckpoint(size, root));
    }
    let next = 0;
    return outdated.map((why): CommitOutcome => {
      if (why !== null) return { state: 'stale', why };
      return { state: 'committed', indexes: first[next++] ?? [], now: head.now };
    });
  });
}

/** Per draft: null when everything it rests on holds under the lock, else what moved. */
async function findOutdated(stores: CommitStores, tx: Tx, head: LockedHead, drafts: readonly Draft[]): Promise<(Staleness | null)[]> {
  const sessionIds = [...new Set(drafts.flatMap(({ session }) => (session ? [session.id] : [])))];
  const actionIds = [...new Set(drafts.flatMap(({ action }) => (action ? [action.id] : [])))];
  const sessions = sessionIds.length > 0 ? await stores.sessions.find(sessionIds, tx) : new Map<SessionId, SessionRow>();
  const actions = actionIds.length > 0 ? await stores.actions.find(actionIds, tx) : new Map<ActionId, ActionRow>();
  const taken = { sessions: new Set<SessionId>(), actions: new Set<ActionId>() };
  const outdated: (Staleness | null)[] = [];
  for (const draft of drafts) {
    const why = staleness(draft, head, sessions, actions, taken) ?? (await lookedUp(stores, tx, draft));
    if (why === null) {
      if (draft.session && draft.move) taken.sessions.add(draft.session.id);
      if (draft.action) taken.actions.add(draft.action.id);
    }
    outdated.push(why);
  }
  return outdated;
}

function staleness(
  { epoch, session, action }: Draft,
  head: LockedHead,
  sessions: ReadonlyMap<SessionId, SessionRow>,
  actions: ReadonlyMap<ActionId, ActionRow>,
  taken: { readonly sessions: ReadonlySet<SessionId>; readonly actions: ReadonlySet<ActionId> },
): Staleness | null {
  if (epoch !== null && epoch !== head.epoch) return 'epoch';
  if (session) {
    const row = sessions.get(session.id);
    if (!row || (row.state !== 'open' && session.orClosed !== true)) return 'session_closed';
    // A second draft of one batch on the same chain rests on a head that the first one moves.
    if (row.head !== session.head || taken.sessions.has(session.id)) return 'session';
  }
  if (action) {
    const row = actions.get(action.id);
    if (row?.state !== action.state || taken.actions.has(action.id)) return 'action';
    if (action.permitAlive === true && !(row.permit !== null && head.now < row.permit.expires_at)) return 'permit_expired';
  }
  return null;
}

/** The rarer conditions, each a statement of its own. */
async function lookedUp(stores: CommitStores, tx: Tx, { pending, idempotency }: Draft): Promise<Staleness | null> {
  if (pending && (await stores.approvals.find(pending, tx))?.state !== 'pending') return 'approval';
  if (idempotency && (await stores.credentials.idempotent(tx, idempotency))) return 'idempotency';
  return null;
}

/** Writes what holds, in few statements; gives each draft the indexes of its receipts. */
async function write(stores: CommitStores, tx: Tx, drafts: readonly Draft[]): Promise<readonly (readonly bigint[])[]> {
  const appended = await stores.ledger.append(tx, drafts.flatMap(({ receipts }) => receipts));
  let offset = 0;
  const indexes = drafts.map(({ receipts }) => appended.slice(offset, (offset += receipts.length)));
  const placeOf = (draft: Draft, at: number): ActionRow['receipt'] => {
    const [receipt] = draft.receipts;
    const index = indexes[at]?.[0];
    if (!receipt || index === undefined) throw new Error('A draft that writes an action has a receipt first.');
    return { id: receipt.id, index };
  };
  const inserts = drafts.flatMap((draft, at) => (draft.insert ? [{ ...draft.insert, receipt: placeOf(draft, at) }] : []));
  if (inserts.length > 0) await stores.actions.insert(tx, inserts);
  for (const [at, draft] of drafts.entries()) {
    if (!draft.change) continue;
    const { placed, ...change } = draft.change;
    const changed = await stores.actions.change(tx, placed === true ? { ...change, receipt: placeOf(draft, at) } : change);
    if (!changed) throw new Error(`Action ${change.id} moved under the head lock.`);
  }
  const contents = drafts.flatMap((draft) => draft.contents ?? []);
  if (contents.length > 0) await stores.content.add(tx, contents);
  const entries = drafts.flatMap(({ entry }) => (entry ? [entry] : []));
  if (entries.length > 0) await stores.sessions.addEntries(tx, entries);
  const moves = drafts.flatMap(({ move }) => (move ? [move] : []));
  if (moves.length > 0) await stores.sessions.moveHeads(tx, moves);
  await writeHeld(stores, tx, drafts);
  const events = drafts.flatMap((draft) => draft.events);
  if (events.length > 0) await stores.events.publish(tx, events);
  return indexes;
}

async function writeHeld(stores: CommitStores, tx: Tx, drafts: readonly Draft[]): Promise<void> {
  const approvals = drafts.flatMap(({ approval }) => (approval ? [approval] : []));
  if (approvals.length > 0) await stores.approvals.insert(tx, approvals);
  const deferrals = drafts.flatMap(({ deferral }) => (deferral ? [deferral] : []));
  if (deferrals.length > 0) await stores.approvals.insertDeferrals(tx, deferrals);
  for (const { resolveApproval, resolveDeferral } of drafts) {
    if (resolveApproval && !(await stores.approvals.resolve(tx, resolveApproval.id, resolveApproval))) {
      throw new Error(`Approval ${resolveApproval.id} moved under the head lock.`);
    }
    if (resolveDeferral && !(await stores.approvals.resolveDeferral(tx, resolveDeferral.id, resolveDeferral.state, resolveDeferral.at))) {
      throw new Error(`Deferral ${resolveDeferral.id} moved under the head lock.`);
    }
  }
}
