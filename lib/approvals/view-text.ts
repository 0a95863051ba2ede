/**
 * A piece of a sentence and whose words it is. The renderer escapes everything that is not `countersign`, and no such
 * piece is ever markup, a title or a number of ours.
 */
export type TextPart = { readonly text: string; readonly from: 'countersign' | 'policy' | 'person' | 'untrusted' };

export type ViewText = readonly TextPart[];

export const ours = (text: string): TextPart => ({ text, from: 'countersign' });
export const untrusted = (text: string): TextPart => ({ text, from: 'untrusted' });

/** A whole number with a comma every three digits, the same on every machine. */
export function groupedNumber(value: number): string {
  const digits = String(Math.abs(value)).replace(/\B(?=(?:\d{3})+$)/g, ',');
  return value < 0 ? `-${digits}` : digits;
}

/** `1 item`, `2 items`. */
export const counted = (count: number, singular: string): string => `${groupedNumber(count)} ${singular}${count === 1 ? '' : 's'}`;
