/** Numbers from 0 (included) to 1 that follow from a seed: the same log tells the same stories again. Nothing secret comes from it. */
export type RandomSource = () => number;

/** The generator known as mulberry32: 32 bits of state, good enough to choose stories by. */
export function randomSource(seed: number): RandomSource {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** One of them, the earlier ones more often: what people and agents do is never spread evenly. */
export function pickSkewed<T>(random: RandomSource, from: readonly T[]): T {
  const picked = from[Math.floor(random() ** 2 * from.length)];
  if (picked === undefined) throw new RangeError('There is nothing to pick from.');
  return picked;
}

/** One by its weight. */
export function pickWeighted<T extends { readonly weight: number }>(random: RandomSource, from: readonly T[]): T {
  let left = random() * from.reduce((sum, { weight }) => sum + weight, 0);
  for (const one of from) {
    left -= one.weight;
    if (left < 0) return one;
  }
  const last = from.at(-1);
  if (!last) throw new RangeError('There is nothing to pick from.');
  return last;
}
