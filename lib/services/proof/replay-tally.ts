import type { ChangedDecision, NotReplayedReason, ReplayReport } from '@/lib/policy/replay-report';
import { decisionKinds, type DecisionKind } from '@/lib/mediate/catalogue';
import type { ApprovalId, ReceiptId } from '@/lib/shared/ids';

import type { Recorded } from './parse-recorded';
import type { Replayed } from './replay-decision';

/** Rows that a report lists, and rows of one gravity that are kept meanwhile. */
export const listedAtMost = 2000;
const namedAtMost = 3;
/** Requests whose end is waited for; a log in which more are open at once loses only what people said of the rest. */
const followedAtMost = 200_000;

type Row = { -readonly [Name in keyof ChangedDecision]: ChangedDecision[Name] };
type People = 'approved' | 'denied' | 'other';

export const runsUnattended = (kind: DecisionKind): boolean => kind === 'ALLOW' || kind === 'MODIFY';

/** Counts decisions that were taken again, in the order of the log. Memory is bounded whatever the log holds. */
export class ReplayTally {
  #receipts = 0;
  #decisions = 0;
  #replayed = 0;
  #redone = 0;
  #otherTerms = 0;
  #changed = 0;
  readonly #transitions = new Map<string, { readonly now: DecisionKind; readonly then: DecisionKind; count: number }>();
  /** Rows by gravity, newest last. */
  readonly #rows: Row[][] = [[], [], [], [], []];
  readonly #not = new Map<NotReplayedReason, { count: number; readonly receipts: ReceiptId[] }>();
  readonly #followed = new Map<ApprovalId, Row>();
  readonly #unattended: Record<People, number> = { approved: 0, denied: 0, other: 0 };

  /** Receipts that were read, of any kind. */
  read(receipts: number): void {
    this.#receipts += receipts;
  }

  get changed(): number {
    return this.#changed;
  }

  add(recorded: Recorded, index: number, replayed: Replayed): void {
    this.#decisions += 1;
    if (replayed.state === 'not') return this.#leaveOut(recorded.receipt, replayed.why);
    const { now, then } = replayed;
    this.#replayed += 1;
    if (replayed.redone) this.#redone += 1;
    const moved = this.#transitions.get(`${now} ${then}`);
    if (moved) moved.count += 1;
    else this.#transitions.set(`${now} ${then}`, { now, then, count: 1 });
    if (now === then && !replayed.otherTerms) return;
    if (now === then) this.#otherTerms += 1;
    this.#change(recorded, index, replayed);
  }

  /** A receipt that is no readable decision, or whose contents are gone. */
  addUnread(receipt: ReceiptId, why: NotReplayedReason): void {
    this.#decisions += 1;
    this.#leaveOut(receipt, why);
  }

  /** How people, or time, ended a request. */
  resolve(approval: ApprovalId, state: string): void {
    const row = this.#followed.get(approval);
    if (!row) return;
    this.#followed.delete(approval);
    const people: People = state === 'approved' || state === 'denied' ? state : 'other';
    row.people = people;
    if (!losesPeople(row)) return;
    this.#unattended.other -= 1;
    this.#unattended[people] += 1;
  }

  report(range: ReplayReport['range'], leftOut: number): ReplayReport {
    const count = (fits: (now: DecisionKind, then: DecisionKind) => boolean): number =>
      [...this.#transitions.values()].reduce((sum, one) => (fits(one.now, one.then) ? sum + one.count : sum), 0);
    // What a person denied and would now run comes next to what policy denied; it is known only once all is read.
    const [denied = [], ...rest] = this.#rows.map((rows) => rows.toReversed());
    const listed = [...denied, ...rest.flatMap((rows) => rows.filter(saidNo)), ...rest.flatMap((rows) => rows.filter((row) => !saidNo(row)))];
    return {
      range,
      receipts: this.#receipts,
      decisions: this.#decisions,
      replayed: this.#replayed,
      redone: this.#redone,
      transitions: [...this.#transitions.values()].sort((a, b) => place(a) - place(b)).map((one) => ({ ...one })),
      other_terms: this.#otherTerms,
      newly_allowed: count((now, then) => !runsUnattended(now) && runsUnattended(then)),
      newly_stopped: count((now, then) => runsUnattended(now) && !runsUnattended(then)),
      unattended: { ...this.#unattended },
      changed: this.#changed,
      listed: listed.slice(0, listedAtMost),
      not_replayed: [...this.#not].map(([why, { count: many, receipts }]) => ({ why, count: many, receipts })).sort((a, b) => b.count - a.count),
      left_out: leftOut,
    };
  }

  #change(recorded: Recorded, index: number, { now, then, rules }: Extract<Replayed, { state: 'replayed' }>): void {
    this.#changed += 1;
    const { receipt, at, agent, tool, operation, decision, approval } = recorded;
    const row: Row = { receipt, index, at, agent, tool, operation, now, then, recorded: decision, people: null, rules: [...rules] };
    if (approval !== null && this.#followed.size < followedAtMost) {
      this.#followed.set(approval, row);
      if (losesPeople(row)) this.#unattended.other += 1;
    }
    const rows = this.#rows[gravityOf(row)];
    rows?.push(row);
    // Twice the list is kept, so that dropping the oldest costs nothing a row.
    if (rows && rows.length >= 2 * listedAtMost) rows.splice(0, listedAtMost);
  }

  #leaveOut(receipt: ReceiptId, why: NotReplayedReason): void {
    const known = this.#not.get(why) ?? { count: 0, receipts: [] };
    known.count += 1;
    if (known.receipts.length < namedAtMost) known.receipts.push(receipt);
    this.#not.set(why, known);
  }
}

const losesPeople = ({ now, then }: Row): boolean => runsUnattended(then) && !runsUnattended(now);
const saidNo = (row: Row): boolean => row.people === 'denied' && losesPeople(row);
const place = ({ now, then }: { readonly now: DecisionKind; readonly then: DecisionKind }): number => decisionKinds.indexOf(now) * decisionKinds.length + decisionKinds.indexOf(then);

/** 0: was denied and would run; 1: waited and would run; 2: less strict otherwise; 3: stricter; 4: other terms. */
function gravityOf({ now, then, recorded }: Row): number {
  if (runsUnattended(then) && !runsUnattended(now)) return now === 'DENY' || recorded === 'DENY' ? 0 : 1;
  if (now === then) return 4;
  return decisionKinds.indexOf(then) < decisionKinds.indexOf(now) ? 2 : 3;
}
