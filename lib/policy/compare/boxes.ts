import type { ChangeEffect, Decided, Witness } from './comparison';

/** Situations in which a decision changes alike: for each dimension that matters the ways it can be. */
export type Box = {
  readonly group: string;
  readonly where: ReadonlyMap<string, readonly string[]>;
  readonly from: Decided;
  readonly to: Decided;
  readonly differences: readonly string[];
  readonly effects: readonly ChangeEffect[];
  /** Written down only for what is told in the end. */
  readonly witness: () => Witness;
  readonly classes: number;
};

/**
 * Boxes found under each way that a dimension can be, joined where they are equal beside it. A dimension in which every way is the
 * same drops out.
 */
export function joinBoxes(dimension: string, ways: readonly { readonly words: string; readonly boxes: readonly Box[] }[]): readonly Box[] {
  const joined = new Map<string, { box: Box; readonly words: Set<string>; classes: number; ways: number }>();
  for (const { words, boxes } of ways) {
    for (const box of boxes) {
      const key = `${box.group} ${JSON.stringify([...box.where])}`;
      const known = joined.get(key);
      if (known) {
        known.words.add(words);
        known.classes += box.classes;
        known.ways += 1;
      } else joined.set(key, { box, words: new Set([words]), classes: box.classes, ways: 1 });
    }
  }
  return [...joined.values()].map(({ box, words, classes, ways: many }) => {
    if (many === ways.length) return { ...box, classes };
    return { ...box, classes, where: new Map([[dimension, [...words].sort()], ...box.where]) };
  });
}
