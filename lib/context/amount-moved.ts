/**
 * What an action moves, as sums count it: all its amounts together, of which none takes anything away. Undefined for none at all, which
 * is not the same as nothing.
 */
export const amountMoved = (amounts: readonly number[]): number | undefined =>
  amounts.length === 0 ? undefined : amounts.reduce((total, amount) => total + Math.max(0, amount), 0);
