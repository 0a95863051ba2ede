const z = 1.959964;

/** How often a value of the first kind is above one of the second, ties counting half, and its 95 % interval. */
export type Area = { readonly area: number; readonly low: number; readonly high: number };

/**
 * The area under the ROC curve with the interval of DeLong, DeLong and Clarke-Pearson (1988), clipped to 0 and 1. Null without two values
 * of each kind. Values of one trace are not independent of each other, so the true interval is wider than this one.
 */
export function areaUnderCurve(above: readonly number[], below: readonly number[]): Area | null {
  if (above.length < 2 || below.length < 2) return null;
  const wins = above.map((a) => mean(below.map((b) => win(a, b))));
  const losses = below.map((b) => mean(above.map((a) => win(a, b))));
  const area = mean(wins);
  const spread = Math.sqrt(variance(wins, area) / above.length + variance(losses, area) / below.length);
  return { area, low: Math.max(0, area - z * spread), high: Math.min(1, area + z * spread) };
}

const win = (a: number, b: number): number => (a > b ? 1 : a === b ? 0.5 : 0);
const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
const variance = (values: readonly number[], around: number): number => values.reduce((sum, value) => sum + (value - around) ** 2, 0) / (values.length - 1);
