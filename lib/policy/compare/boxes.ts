import type { ChangeEffect, Decided } from './comparison';
import type { Option } from './context-options';

/** What two policies make differently of one action. */
export type Difference = { readonly from: Decided; readonly to: Decided; readonly differences: readonly string[]; readonly effects: readonly ChangeEffect[] };

/** Situations in which a decision changes alike: for each dimension that matters the ways it can be, and what was chosen in one of them. */
export type Box = {
  /** What changes, beside values and names of things. */
  readonly group: string;
  readonly where: ReadonlyMap<string, readonly string[]>;
  readonly whereText: string;
  readonly chosen: readonly (readonly [string, Option])[];
  readonly way: readonly Option[];
  readonly classes: number;
};

export type Way = { readonly words: string; readonly option: Option | null; readonly boxes: readonly Box[] };

/**
 * Boxes found under each way that a dimension can be, joined where they are equal beside it. A dimension in which every way is the
 * same drops out.
 */
export function joinBoxes(dimension: string, ways: readonly Way[]): readonly Box[] {
  const joined = new Map<string, { readonly box: Box; readonly option: Option | null; readonly words: Set<string>; classes: number; ways: number }>();
  for (const { words, option, boxes } of ways) {
    for (const box of boxes) {
      const key = `${box.group} ${box.whereText}`;
      const known = joined.get(key);
      if (known) {
        known.words.add(words);
        known.classes += box.classes;
        known.ways += 1;
      } else joined.set(key, { box, option, words: new Set([words]), classes: box.classes, ways: 1 });
    }
  }
  return [...joined.values()].map(({ box, option, words, classes, ways: many }): Box => {
    const chosen = option === null ? box.chosen : [[dimension, option] as const, ...box.chosen];
    if (many === ways.length) return { ...box, chosen, classes };
    const sorted = [...words].sort();
    return { ...box, chosen, classes, where: new Map([[dimension, sorted], ...box.where]), whereText: `${dimension}: ${sorted.join(' or ')}; ${box.whereText}` };
  });
}
