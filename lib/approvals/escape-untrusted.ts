import { escapeReason, type EscapeReason } from '@/lib/approvals/escaped-ranges';
import { isLookalike } from '@/lib/approvals/lookalikes';

/** A piece of a value as it is shown: characters that mean what they look like, or one character shown as its code point. */
export type Segment =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'escape'; readonly codePoint: number; readonly label: string; readonly reason: EscapeReason };

/**
 * Cuts text nobody vouched for into what may be drawn and what has to be shown as `U+202E`, in stored order. Deterministic and complete: the
 * segments put back together are the text, however long it is. Beside the characters that are never drawn (escaped-ranges), a letter that
 * looks like an ASCII one is escaped in a word that also has ASCII letters or digits, and in a word made of nothing but such letters, so that
 * no word can pass for an ASCII one; ordinary words of other scripts stay readable. A lone surrogate counts as a control character.
 */
export function escapeUntrusted(text: string): readonly Segment[] {
  const segments: Segment[] = [];
  let plain = '';
  const flush = () => {
    if (plain !== '') segments.push({ kind: 'text', text: plain });
    plain = '';
  };
  for (const word of words(text)) {
    const suspicious = isSuspicious(word);
    for (const character of word) {
      const codePoint = character.codePointAt(0) ?? 0;
      const reason = escapeReason(codePoint) ?? (suspicious && isLookalike(codePoint) ? 'lookalike' : null);
      if (reason === null) {
        plain += character;
        continue;
      }
      flush();
      segments.push({ kind: 'escape', codePoint, label: codePointLabel(codePoint), reason });
    }
  }
  flush();
  return segments;
}

/** How many characters of the text are shown as their code point. */
export function countEscapes(segments: readonly Segment[]): number {
  return segments.filter((segment) => segment.kind === 'escape').length;
}

/** `U+202E`: at least four hexadecimal digits, as the Unicode Standard writes code points. */
export function codePointLabel(codePoint: number): string {
  return `U+${codePoint.toString(16).toUpperCase().padStart(4, '0')}`;
}

/** Words as a reader sees them: an invisible character inside a word doesn't end it, and mustn't let one half vouch for the other. */
function words(text: string): readonly string[] {
  return text.match(/[\s!-/:-@[-`{-~]+|[^\s!-/:-@[-`{-~]+/gu) ?? [];
}

function isSuspicious(word: string): boolean {
  let lookalikes = 0;
  let ascii = 0;
  let others = 0;
  for (const character of word) {
    const codePoint = character.codePointAt(0) ?? 0;
    if (escapeReason(codePoint) !== null) continue;
    if (isLookalike(codePoint)) lookalikes += 1;
    else if (codePoint < 0x80) ascii += 1;
    else others += 1;
  }
  return lookalikes > 0 && (ascii > 0 || others === 0);
}
