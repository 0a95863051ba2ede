import type { ActionRow, ActionStore } from '@/lib/ports/action-store';
import type { ApprovalRow, ApprovalStore } from '@/lib/ports/approval-store';
import type { ContentStore } from '@/lib/ports/content-store';
import type { CredentialStore } from '@/lib/ports/credential-store';
import type { EventBus } from '@/lib/ports/event-bus';
import type { GrantRow, GrantStore, GrantUse } from '@/lib/ports/grant-store';
import type { LedgerStore, SignedReceipt } from '@/lib/ports/ledger-store';
import type { SessionRow, SessionStore } from '@/lib/ports/session-store';
import type { LockedHead, Transactor, Tx } from '@/lib/ports/transaction';
import type { ActionId, ApprovalId, GrantId, SessionId } from '@/lib/shared/ids';

import type { CommitOutcome, Draft, Staleness } from './draft';
import { isOver, withThoseBefore, type WaitingBounds } from './waiting-bounds';

export type CommitStores = {
  readonly transactor: Transactor;
  readonly ledger: LedgerStore;
  readonly content: ContentStore;
  readonly sessions: SessionStore;
  readonly actions: ActionStore;
  readonly approvals: ApprovalStore;
  readonly credentials: CredentialStore;
  readonly grants: GrantStore;
  readonly events: EventBus;
};

/**
 * Signs a tree head (a C2SP checkpoint). Only the plane has that key. Null: none of its keys may sign at that size, so the log goes on
 * without a checkpoint there, which is late and never false.
 */
export type SignCheckpoint = (size: bigint, root: Uint8Array) => Promise<string | null>;

export type GroupCommit = {
  readonly submit: (draft: Draft) => Promise<CommitOutcome>;
  /** Settles when nothing waits any more: what was begun is written before the process ends. */
  readonly idle: () => Promise<void>;
};

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
  let whenIdle: (() => void)[] = [];

  async function drain(): Promise<void> {
    running = true;
    while (queue.length > 0) await settle(queue.splice(0, batchSize));
    running = false;
    for (const settled of whenIdle) settled();
    whenIdle = [];
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
    idle: () => new Promise((resolve) => (running ? void whenIdle.push(resolve) : resolve())),
  };
}

/** True when the connection broke while committing: whether it is durable is not known, so nothing is tried again. */
const mayHaveCommitted = (cause: unknown): boolean => cause instanceof Error && cause.name === 'CommitUnknown';

function commitTogether(stores: CommitStores, signCheckpoint: SignCheckpoint | null, drafts: readonly Draft[]): Promise<readonly CommitOutcome[]> {
  const read = async (tx: Tx): Promise<RestsOn> => await readRestsOn(stores, tx, drafts);
  return stores.transactor.withHeadAnd(read, async (tx, head, found) => {
    const outdated = await findOutdated(stores, tx, head, drafts, found);
    const holding = drafts.filter((_, at) => outdated[at] === null);
    if (holding.length > 0) await Promise.all(writesOf(stores, signCheckpoint, tx, head, holding));
    let next = head.size;
    return outdated.map((why, at): CommitOutcome => {
      if (why !== null) return { state: 'stale', why };
      const indexes = (drafts[at]?.receipts ?? []).map(() => next++);
      return { state: 'committed', indexes, now: head.now };
    });
  });
}

/** The rows that drafts rest on, as they are behind the lock. */
type RestsOn = {
  readonly sessions: ReadonlyMap<SessionId, SessionRow>;
  readonly actions: ReadonlyMap<ActionId, ActionRow>;
  /** Of the sessions in which nothing was supposed to wait, those in which something does. */
  readonly waiting: ReadonlySet<SessionId>;
  readonly requests: ReadonlyMap<ApprovalId, ApprovalRow>;
};

async function readRestsOn(stores: CommitStores, tx: Tx, drafts: readonly Draft[]): Promise<RestsOn> {
  const sessionIds = [...new Set(drafts.flatMap(({ session }) => (session ? [session.id] : [])))];
  const actionIds = [...new Set(drafts.flatMap(({ action }) => (action ? [action.id] : [])))];
  const calm = [...new Set(drafts.flatMap(({ session }) => (session?.calm === true ? [session.id] : [])))];
  const pending = [...new Set(drafts.flatMap((draft) => draft.pending ?? []))];
  const [sessions, actions, waiting, requests] = await Promise.all([
    sessionIds.length > 0 ? stores.sessions.find(sessionIds, tx) : new Map<SessionId, SessionRow>(),
    actionIds.length > 0 ? stores.actions.find(actionIds, tx) : new Map<ActionId, ActionRow>(),
    calm.length > 0 ? stores.actions.sessionsWaiting(tx, calm) : new Set<SessionId>(),
    stores.approvals.findAll(pending, tx),
  ]);
  return { sessions, actions, waiting, requests };
}

/** Per draft: null when everything it rests on holds under the lock, else what moved. */
async function findOutdated(
  stores: CommitStores,
  tx: Tx,
  head: LockedHead,
  drafts: readonly Draft[],
  { sessions, actions, waiting, requests }: RestsOn,
): Promise<(Staleness | null)[]> {
  const bounded: WaitingBounds[] = [];
  const taken = { sessions: new Set<SessionId>(), actions: new Set<ActionId>(), grants: new Set<GrantId>() };
  const outdated: (Staleness | null)[] = [];
  for (const draft of drafts) {
    const why =
      staleness(draft, head, sessions, actions, taken) ??
      requestMoved(draft, head, requests) ??
      (draft.session?.calm === true && waiting.has(draft.session.id) ? 'waiting' : null) ??
      (await lookedUp(stores, tx, head, draft, bounded));
    if (why === null) {
      if (draft.bounds) bounded.push(draft.bounds);
      if (draft.session && draft.move) taken.sessions.add(draft.session.id);
      if (draft.action) taken.actions.add(draft.action.id);
      if (draft.grant) taken.grants.add(draft.grant.id);
    }
    outdated.push(why);
  }
  return outdated;
}

function staleness(
  { epoch, session, action, grant }: Draft,
  head: LockedHead,
  sessions: ReadonlyMap<SessionId, SessionRow>,
  actions: ReadonlyMap<ActionId, ActionRow>,
  taken: { readonly sessions: ReadonlySet<SessionId>; readonly actions: ReadonlySet<ActionId>; readonly grants: ReadonlySet<GrantId> },
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
  // A grant is used by one draft of a batch: the next one counts on what this one leaves.
  if (grant && (taken.grants.has(grant.id) || head.now >= grant.expires_at)) return 'grant';
  return null;
}

/** One that was extended meanwhile has not expired, and one that has expired ends in nothing else. */
function requestMoved({ pending, resolveApproval, escalate }: Draft, { now }: LockedHead, requests: ReadonlyMap<ApprovalId, ApprovalRow>): Staleness | null {
  const request = pending && requests.get(pending);
  if (pending === undefined) return null;
  if (request && escalate && (now < escalate.due || now >= request.expires_at || request.approvers.join('\n') !== escalate.from.join('\n'))) return 'approval';
  return request?.state !== 'pending' || (resolveApproval && (resolveApproval.state === 'expired') !== now >= request.expires_at) ? 'approval' : null;
}

/** The rarer conditions, each a statement of its own. */
async function lookedUp(
  stores: CommitStores,
  tx: Tx,
  { now }: LockedHead,
  { idempotency, openDeferral, action, bounds, grant }: Draft,
  before: readonly WaitingBounds[],
): Promise<Staleness | null> {
  if (grant && !isAsSeen((await stores.grants.find([grant.id], tx)).get(grant.id), grant)) return 'grant';
  if (openDeferral && action) {
    const deferral = await stores.approvals.deferralOf(action.id, tx);
    if (deferral?.id !== openDeferral || deferral.state !== 'open' || deferral.expires_at <= now) return 'deferral';
  }
  if (bounds && isOver(withThoseBefore(await stores.actions.countWaiting(bounds.of, tx), bounds, before), bounds.limits)) return 'bounds';
  if (idempotency && (await stores.credentials.idempotent(tx, idempotency))) return 'idempotency';
  return null;
}

const isAsSeen = (row: GrantRow | undefined, { seen }: GrantUse): boolean => row?.used === seen && row.issued_at !== null && row.ended_at === null;

/**
 * Writes what holds, in few statements that go out together: none waits for another, and the first that fails undoes all.
 * The indexes of receipts follow from the head, so whoever names one need not wait for the append either.
 */
function writesOf(stores: CommitStores, signCheckpoint: SignCheckpoint | null, tx: Tx, head: LockedHead, drafts: readonly Draft[]): Promise<unknown>[] {
  const { ledger, actions, content, sessions, approvals, events } = stores;
  let next = head.size;
  const places = drafts.map(({ receipts }): ActionRow['receipt'] | undefined => {
    const index = next;
    next += BigInt(receipts.length);
    return receipts[0] && { id: receipts[0].id, index };
  });
  const placeOf = (at: number): ActionRow['receipt'] => places[at] ?? missing('A draft that writes an action has a receipt first.');
  const some = <T>(pick: (draft: Draft, at: number) => T | undefined, write: (rows: readonly T[]) => Promise<unknown>): Promise<unknown>[] => {
    const rows = drafts.map(pick).filter((row) => row !== undefined);
    return rows.length > 0 ? [write(rows)] : [];
  };
  return [
    appendCovered(ledger, signCheckpoint, tx, drafts.flatMap(({ receipts }) => receipts)),
    ...some(({ insert }, at) => insert && { ...insert, receipt: placeOf(at) }, (rows) => actions.insert(tx, rows)),
    ...some(({ contents }) => contents, (rows) => content.add(tx, rows.flat())),
    ...some(({ entry }) => entry, (rows) => sessions.addEntries(tx, rows)),
    ...some(({ move }) => move, (rows) => sessions.moveHeads(tx, rows)),
    ...some(({ approval }) => approval, (rows) => approvals.insert(tx, rows)),
    ...some(({ deferral }) => deferral, (rows) => approvals.insertDeferrals(tx, rows)),
    ...drafts.flatMap((draft, at) => changesOf(stores, tx, draft, () => placeOf(at))),
    ...some((draft) => (draft.events.length > 0 ? draft.events : undefined), (rows) => events.publish(tx, rows.flat())),
  ];
}

/** Appends, and states the tree head that this leaves in a signed checkpoint. */
async function appendCovered(ledger: LedgerStore, signCheckpoint: SignCheckpoint | null, tx: Tx, receipts: readonly SignedReceipt[]): Promise<void> {
  const appending = ledger.append(tx, receipts);
  if (!signCheckpoint) return void (await appending);
  const covering = ledger.head(tx).then(async ({ size, root }) => {
    const note = await signCheckpoint(size, root);
    if (note !== null) await ledger.addCheckpoint(tx, size, note);
  });
  await Promise.all([appending, covering]);
}

/** Changes by compare-and-set. What they compare was read under the head lock, so one that misses is a programmer's error. */
function changesOf({ actions, approvals, grants }: CommitStores, tx: Tx, draft: Draft, place: () => ActionRow['receipt']): Promise<void>[] {
  const { change, resolveApproval, escalate, resolveDeferral, narrowDeferral } = draft;
  const made = async (what: string, changed: Promise<boolean>): Promise<void> => {
    if (!(await changed)) missing(`${what} moved under the head lock.`);
  };
  const changes: Promise<void>[] = [];
  if (change) {
    const { placed, ...rest } = change;
    changes.push(made(`Action ${change.id}`, actions.change(tx, placed === true ? { ...rest, receipt: place() } : rest)));
  }
  if (draft.grant) changes.push(made(`Grant ${draft.grant.id}`, grants.consume(tx, draft.grant)));
  if (resolveApproval) changes.push(made(`Approval ${resolveApproval.id}`, approvals.resolve(tx, resolveApproval.id, resolveApproval)));
  if (escalate) changes.push(made(`Approval ${escalate.id}`, approvals.escalate(tx, escalate.id, escalate, escalate.at)));
  if (narrowDeferral) changes.push(made(`Deferral ${narrowDeferral.id}`, approvals.narrowDeferral(tx, narrowDeferral)));
  if (resolveDeferral) {
    changes.push(made(`Deferral ${resolveDeferral.id}`, approvals.resolveDeferral(tx, resolveDeferral.id, resolveDeferral.state, resolveDeferral.at)));
  }
  return changes;
}

function missing(what: string): never {
  throw new Error(what);
}
