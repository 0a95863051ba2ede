import type { Signal } from '@/lib/context/snapshot';

/** Both in thousandths, 0 to 1000. Null: there is nothing to measure. */
export type Measure = { readonly alignment: number | null; readonly evaluability: number | null };

/**
 * How signals become numbers, here and nowhere else. Evaluability is the share of all weight whose signals are known; alignment
 * is the weighted mean of the known ones. An unknown signal therefore lowers evaluability and leaves alignment alone. Integer
 * division rounds down, so that every machine gets the same number.
 */
export function measureAlignment(signals: readonly Signal[]): Measure {
  let total = 0;
  let known = 0;
  let sum = 0;
  for (const { score, weight } of signals) {
    total += weight;
    if (score === null) continue;
    known += weight;
    sum += score * weight;
  }
  return {
    evaluability: total > 0 ? Math.floor((1000 * known) / total) : null,
    alignment: known > 0 ? Math.floor(sum / known) : null,
  };
}

export type Confidence = 'high' | 'medium' | 'low';

/** Nothing measured is low: what is not known to fit the request is treated as not fitting. */
export function confidenceOf(alignment: number | null, bounds: { readonly high: number; readonly low: number }): Confidence {
  if (alignment === null || alignment < bounds.low) return 'low';
  return alignment >= bounds.high ? 'high' : 'medium';
}
