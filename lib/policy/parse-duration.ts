const seconds: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 };

/** The longest time that a policy may name. */
export const longestDurationS = 30 * 86_400;

export const durationPattern = '^(?:\\d{1,6}[smhd]){1,4}$';

/** `90s`, `10m`, `1h30m`, `2d` → seconds; undefined when it is none of these, zero, or over thirty days. */
export function parseDuration(text: string): number | undefined {
  if (!new RegExp(durationPattern).test(text)) return undefined;
  let total = 0;
  for (const [, amount = '', unit = ''] of text.matchAll(/(\d+)([smhd])/g)) total += Number(amount) * (seconds[unit] ?? 0);
  return total > 0 && total <= longestDurationS ? total : undefined;
}
