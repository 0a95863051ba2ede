import type pg from 'pg';

import type { LogFault } from '@/lib/db/fsck-fault';
import type { Bundle } from '@/lib/ledger/bundle';
import type { ErrorCode } from '@/lib/shared/error-codes';
import type { CheckId } from '@/lib/verify/report';

import type { ToldEvent, ToldLedger } from './teller';

/** A surface cannot find it, and why that is so. */
export type Unseen = { readonly unseen: string };

/** The check of a bundle's report that fails (`says`: part of its words), at the position of that event; `unsure`: it turns grey, not red. */
export type Found = { readonly check: CheckId; readonly at?: string; readonly says: string; readonly unsure?: true };

/** What each surface says of a tampering. `/verify` and `countersign verify` run the same code, so they are one. */
export type Surfaces = {
  /** With the root's fingerprint alone. `refused`: no bundle can be made of what is left. */
  readonly verify: Found | Unseen | 'unreadable' | { readonly refused: ErrorCode };
  /** With a checkpoint that was exported before; left out: as `verify` says. */
  readonly known?: Found;
  /** `countersign fsck`: which fault, and at which position (an event's, a number, or the `end` of the log). */
  readonly fsck: { readonly what: LogFault['what']; readonly at?: string | number } | Unseen;
  /** A process that starts with the pin of what was served last. */
  readonly pins: { readonly denied: 'rollback_detected' | 'policy_unreadable' | 'policy_unsigned'; readonly says: string } | { readonly fails: string } | Unseen;
};

type Does =
  /** Whoever owns the database, with no key: past triggers and constraints. Gets the untouched log. */
  | { readonly rows: (db: pg.ClientBase, told: ToldLedger) => Promise<unknown> }
  /** Whoever holds the keys that sign the changed events: the whole history from there on is signed anew. */
  | { readonly history: (told: ToldLedger) => ToldLedger | Promise<ToldLedger> }
  /** Whoever holds an exporter's key: parts of a bundle are changed and sealed again. */
  | { readonly bundle: (bundle: Bundle, told: ToldLedger) => Partial<Bundle> | Promise<Partial<Bundle>> }
  /** Whoever has the file only. */
  | { readonly file: (bytes: Uint8Array) => Uint8Array };

export type Tampering = { readonly name: string } & Does & Surfaces;

/** Why the other surfaces see nothing of a changed file. */
export const onlyAFile: Pick<Surfaces, 'fsck' | 'pins'> = {
  fsck: { unseen: 'The database is as it was; only the file was changed.' },
  pins: { unseen: 'The database is as it was; only the file was changed.' },
};

/** Why fsck sees nothing of a history that is signed anew: it judges what is stored by the stored envelopes, and not what they say. */
export const consistent: Surfaces['fsck'] = { unseen: 'Every hash, link and column is that of what is stored: who signed it, and whether it may be so, is for verify.' };

/** What pins say of any change behind them. */
export const rewritten: Surfaces['pins'] = { denied: 'rollback_detected', says: 'Another history' };

/** What they say when receipts are missing after all. */
export const shorter: Surfaces['pins'] = { denied: 'rollback_detected', says: 'A log of' };

/** Pins know nothing of what was never served. */
export const after: Surfaces['pins'] = { unseen: 'It comes after what was served: a pin knows nothing of it.' };

export const indexOf = ({ events }: ToldLedger, label: string): number => {
  const index = events.findIndex((event) => event.label === label);
  if (index === -1) throw new Error(`Nothing is called ${label}.`);
  return index;
};

export const eventOf = (told: ToldLedger, label: string): ToldEvent => told.events[indexOf(told, label)] ?? told.events[0] ?? missing(label);

const missing = (label: string): never => {
  throw new Error(`Nothing is called ${label}.`);
};

/** An id of a receipt that is not there yet. `end` has four letters. */
export const receiptLike = (told: ToldLedger, label: string, end: string): ToldEvent['predicate']['receipt'] => `${eventOf(told, label).predicate.receipt.slice(0, -4)}${end}` as ToldEvent['predicate']['receipt'];

type Change = (predicate: ToldEvent['predicate'], event: ToldEvent) => Readonly<Record<string, unknown>>;

/** Changes what an event states; its own key signs it again. */
export const changing = (label: string, change: Change) => (told: ToldLedger): ToldLedger => {
  const event = eventOf(told, label);
  return replacing(told, label, [{ ...event, predicate: { ...event.predicate, ...change(event.predicate, event) } }]);
};

/** Puts other events in the place of one; a batch that ended there still does. */
export function replacing(told: ToldLedger, label: string, by: readonly ToldEvent[]): ToldLedger {
  const index = indexOf(told, label);
  const { checkpoint } = eventOf(told, label);
  const events = told.events.toSpliced(index, 1, ...by);
  const last = events[index + by.length - 1];
  if (checkpoint && last && !last.checkpoint) events[index + by.length - 1] = { ...last, checkpoint };
  return { ...told, events };
}

export const without = (...labels: readonly string[]) => (told: ToldLedger): ToldLedger => labels.reduce((rest, label) => replacing(rest, label, []), told);

/** Another event right behind one. It is the same but for what is changed, and gets a receipt of its own. */
export const followedBy = (label: string, copyOf: string, change: Change = () => ({})) => (told: ToldLedger): ToldLedger => {
  const [before, copied] = [eventOf(told, label), eventOf(told, copyOf)];
  const { checkpoint: _checkpoint, ...event } = copied;
  const copy = { ...event, label: `copy of ${copyOf}`, predicate: { ...event.predicate, receipt: receiptLike(told, copyOf, 'copy'), at: before.predicate.at, ...change(event.predicate, event) } };
  return replacing(told, label, [before, copy]);
};

export const swapped = (first: string, second: string) => (told: ToldLedger): ToldLedger => {
  const [a, b] = [eventOf(told, first), eventOf(told, second)];
  const placed = (here: ToldEvent, there: ToldEvent): ToldEvent => {
    const { checkpoint: _checkpoint, ...event } = there;
    return here.checkpoint ? { ...event, checkpoint: here.checkpoint } : event;
  };
  return { ...told, events: told.events.map((event) => (event === a ? placed(a, b) : event === b ? placed(b, a) : event)) };
};

/** One step after another. */
export const all = (...steps: readonly ((told: ToldLedger) => ToldLedger)[]) => (told: ToldLedger): ToldLedger => steps.reduce((so, step) => step(so), told);
