import type { ActionId } from '@/lib/shared/ids';

/** Levels, lowest first. Every other label is a tag. */
export const labelLevels = ['PUBLIC', 'INTERNAL', 'CONFIDENTIAL', 'RESTRICTED'] as const;

/** A level's rank, or -1 for a tag. */
export const levelRank = (label: string): number => labelLevels.findIndex((level) => level === label);

/** Whether that is a lowering at all: a level becomes a lower one, a tag goes. */
export const isLowering = (label: string, to: string | null): boolean =>
  to === null ? levelRank(label) < 0 : levelRank(to) >= 0 && levelRank(to) < levelRank(label);

/** Whether labels that others keep would bring back what is lowered: the tag itself, the level or a higher one. */
export const carriesLowered = (kept: readonly string[], label: string): boolean =>
  levelRank(label) < 0 ? kept.includes(label) : kept.some((one) => levelRank(one) >= levelRank(label));

/** Labels that the second list has and the first does not carry: a level is carried by any that is as high. */
export function gainedLabels(before: readonly string[], now: readonly string[]): readonly string[] {
  const highest = Math.max(-1, ...before.map(levelRank));
  return now.filter((label) => (levelRank(label) < 0 ? !before.includes(label) : levelRank(label) > highest));
}

const mostPending = 1_000;
const mostTags = 500;
/** Stands for every tag that no longer fits: a session with that many has seen everything. */
const overflowLevel = 'RESTRICTED';

/**
 * The labels of a session. They only rise, but for what a person has signed to lower. Those of a permit are kept apart until its outcome, so that deciding the
 * same action again does not find its own permit's labels as if somebody else had raised them.
 */
export class LabelLedger {
  private readonly settled = new Set<string>();
  private readonly pending = new Map<ActionId, readonly string[]>();
  /** How many pending actions have each label: what a session shows must not cost what it has open. */
  private readonly open = new Map<string, number>();
  /** Tags were forgotten for the highest level: nobody can say any more what lowering it would let go of. */
  private overflown = false;

  raiseByPermit(action: ActionId, labels: readonly string[]): void {
    if (labels.length === 0) return;
    // A second permit of one action joins the first.
    const known = this.pending.get(action) ?? [];
    const added = [...new Set(labels.map((label) => this.fitting(label)))].filter((label) => !known.includes(label));
    this.pending.set(action, [...known, ...added]);
    for (const label of added) this.open.set(label, (this.open.get(label) ?? 0) + 1);
    if (this.pending.size <= mostPending) return;
    const oldest = this.pending.keys().next();
    if (oldest.done !== true) this.settle(oldest.value);
  }

  raise(labels: readonly string[]): void {
    for (const label of labels) this.settled.add(this.fitting(label));
  }

  /**
   * A person lowers what the session carries now. What an action that is still out will show comes after that and raises it again,
   * so its labels stay. Not a lowering: nothing happens.
   */
  lower(label: string, to: string | null): void {
    if (!isLowering(label, to)) return;
    if (to === null) {
      this.settled.delete(label);
      return;
    }
    if (this.overflown) return;
    for (const level of labelLevels) if (levelRank(level) > levelRank(to) && levelRank(level) <= levelRank(label)) this.settled.delete(level);
    this.settled.add(to);
  }

  /** The action has ended: its labels are the session's. */
  settle(action: ActionId): void {
    const labels = this.pending.get(action) ?? [];
    this.pending.delete(action);
    for (const label of labels) {
      const left = (this.open.get(label) ?? 1) - 1;
      if (left > 0) this.open.set(label, left);
      else this.open.delete(label);
      this.settled.add(label);
    }
  }

  /** What the action's permit raised, while its outcome is not in. */
  raisedBy(action: ActionId): readonly string[] {
    return this.pending.get(action) ?? [];
  }

  /** The highest level and every tag, in order; `except` is the action that is decided again. */
  current(except?: ActionId): readonly string[] {
    const all = new Set(this.settled);
    const own = except === undefined ? undefined : this.pending.get(except);
    for (const [label, many] of this.open) if (many > 1 || own?.includes(label) !== true) all.add(label);
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

  private fitting(label: string): string {
    if (levelRank(label) >= 0 || this.settled.has(label) || this.open.has(label)) return label;
    if (this.settled.size + this.open.size < mostTags) return label;
    this.overflown = true;
    return overflowLevel;
  }
}
