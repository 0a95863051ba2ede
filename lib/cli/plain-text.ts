import { codePointLabel } from '@/lib/approvals/escape-untrusted';
import { escapeReason } from '@/lib/approvals/escaped-ranges';

/** Text of a bundle or a policy for a terminal: what would move its cursor, colour it or turn its direction is shown as `U+001B`. */
export const plainText = (text: string): string =>
  Array.from(text, (character) => {
    const codePoint = character.codePointAt(0) ?? 0;
    return escapeReason(codePoint) === null ? character : `<${codePointLabel(codePoint)}>`;
  }).join('');
