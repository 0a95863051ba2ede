import type { BundleManifest } from '@/lib/ledger/bundle-manifest';

import type { Entry } from './parse-entries';

/** Positions of the log that the bundle does not hold: `from` included, `to` excluded. */
export type Gap = { readonly from: number; readonly to: number; readonly where: 'before' | 'inside' | 'after' };

/**
 * What of the log is not here. None inside a range that checks out; a selection has one between any two receipts that are not
 * neighbours. That something is left out is no fault: each receipt that is here is proved by itself.
 */
export function gapsOf(entries: readonly Entry[], { size }: BundleManifest): readonly Gap[] {
  const gaps: Gap[] = [];
  let next = 0;
  for (const { index } of entries) {
    if (index > next) gaps.push({ from: next, to: index, where: next === 0 ? 'before' : 'inside' });
    next = Math.max(next, index + 1);
  }
  if (next < size) gaps.push({ from: next, to: size, where: 'after' });
  return gaps;
}
