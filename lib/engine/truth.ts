/** Kleene's strong three-valued logic: unknown is "could be either", never a third fact. */
export type Truth = 'true' | 'false' | 'unknown';

export const truthOf = (value: boolean): Truth => (value ? 'true' : 'false');

export function not(truth: Truth): Truth {
  if (truth === 'unknown') return 'unknown';
  return truth === 'true' ? 'false' : 'true';
}

/** False wins, then unknown: one known "no" settles a conjunction whatever the rest turns out to be. */
export function both(a: Truth, b: Truth): Truth {
  if (a === 'false' || b === 'false') return 'false';
  return a === 'unknown' || b === 'unknown' ? 'unknown' : 'true';
}

/** True wins, then unknown. */
export function either(a: Truth, b: Truth): Truth {
  if (a === 'true' || b === 'true') return 'true';
  return a === 'unknown' || b === 'unknown' ? 'unknown' : 'false';
}
