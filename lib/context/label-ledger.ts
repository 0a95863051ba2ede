import type { ActionId } from '@/lib/shared/ids';

/** Levels, lowest first. Every other label is a tag. */
export const labelLevels = ['PUBLIC', 'INTERNAL', 'CONFIDENTIAL', 'RESTRICTED'] as const;

/** A level's rank, or -1 for a tag. */
export const levelRank = (label: string): number => labelLevels.findIndex((level) => level === label);

const mostPending = 1_000;
const mostTags = 500;
/** Stands for every tag that no longer fits: a session with that many has seen everything. */
const overflowLevel = 'RESTRICTED';

/**
 * The labels of a session. They only rise. Those of a permit are kept apart until its outcome, so that deciding the
 * same action again does not find its own permit's labels as if somebody else had raised them.
 */
export class LabelLedger {
  private readonly settled = new Set<string>();
  private readonly pending = new Map<ActionId, readonly string[]>();
  /** How many of the pending actions raise each label: so that what is shown need not be gathered from a thousand of them. */
  private readonly raising = new Map<string, number>();
  private shown: readonly string[] | null = null;

  raiseByPermit(action: ActionId, labels: readonly string[]): void {
    if (labels.length === 0) return;
    // A second permit of one action joins the first.
    this.pending.set(action, [...(this.pending.get(action) ?? []), ...labels]);
    this.count(labels, 1);
    if (this.pending.size <= mostPending) return;
    const oldest = this.pending.keys().next();
    if (oldest.done !== true) this.settle(oldest.value);
  }

  raise(labels: readonly string[]): void {
    if (labels.length > 0) this.shown = null;
    for (const label of labels) this.settled.add(this.settled.size < mostTags || levelRank(label) >= 0 ? label : overflowLevel);
  }

  /** The action has ended: its labels are the session's. */
  settle(action: ActionId): void {
    const labels = this.pending.get(action) ?? [];
    this.raise(labels);
    this.count(labels, -1);
    this.pending.delete(action);
  }

  /** The highest level and every tag, in order; `except` is the action that is decided again. */
  current(except?: ActionId): readonly string[] {
    const own = except === undefined ? undefined : this.pending.get(except);
    return own ? this.gather(own) : (this.shown ??= this.gather([]));
  }

  private count(labels: readonly string[], by: 1 | -1): void {
    if (labels.length > 0) this.shown = null;
    for (const label of labels) {
      const count = (this.raising.get(label) ?? 0) + by;
      if (count > 0) this.raising.set(label, count);
      else this.raising.delete(label);
    }
  }

  private gather(except: readonly string[]): readonly string[] {
    const all = new Set(this.settled);
    for (const [label, count] of this.raising) if (except.length === 0 || count > except.filter((own) => own === label).length) all.add(label);
    let highest = -1;
    const shown: string[] = [];
    for (const label of all) {
      const rank = levelRank(label);
      if (rank < 0) shown.push(label);
      else highest = Math.max(highest, rank);
    }
    const level = labelLevels[highest];
    if (level !== undefined) shown.push(level);
    return shown.sort();
  }
}
