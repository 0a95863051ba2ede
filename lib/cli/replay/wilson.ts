/** The normal quantile that leaves 2.5 % on either side. */
const z = 1.959964;

/**
 * The 95 % interval of a share by Wilson's score method, which stays inside 0 to 1 and says something at 0 of n and n of n as well
 * (E. B. Wilson, 1927). Null where nothing was counted.
 */
export function wilsonInterval(count: number, of: number): readonly [low: number, high: number] | null {
  if (of === 0) return null;
  const share = count / of;
  const centre = share + (z * z) / (2 * of);
  const reach = z * Math.sqrt((share * (1 - share)) / of + (z * z) / (4 * of * of));
  const whole = 1 + (z * z) / of;
  return [Math.max(0, (centre - reach) / whole), Math.min(1, (centre + reach) / whole)];
}
