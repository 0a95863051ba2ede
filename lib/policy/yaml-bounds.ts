import { bounds } from '@/lib/shared/bounds';
import type { Issue } from '@/lib/shared/result';

const deepest = 24;
/** None is read; past this many, naming each would only take time. */
const mostAliases = 100;

const start = { path: '', line: 1, column: 1 };

/** Bounds on size and indentation, before anything of the text is read. */
export function overBounds(text: string): Issue | null {
  if (text.length > bounds.policyBytes) return { ...start, message: `The policy is over ${String(bounds.policyBytes)} bytes.`, fix: 'Split it, or shorten its prose.' };
  const indents = text.split('\n').reduce((most, line) => Math.max(most, /^[ -]*/.exec(line)?.[0].length ?? 0), 0);
  return indents > 400 ? { ...start, message: 'The text is indented too deeply.', fix: 'Indent each level by two spaces.' } : null;
}

/** Bounds on nesting, token by token, before any of it is composed: composing a deeply nested text can end the process. */
export class TokenBounds {
  /** What the text goes over; null as long as it stays within. */
  over: Issue | null = null;
  #depth = 0;
  #aliases = 0;

  /** Takes the lexer's next token; false where it goes over. */
  take(token: string): boolean {
    if ((token.startsWith('*') || token.startsWith('&')) && ++this.#aliases > mostAliases) this.over = { ...start, message: 'Anchors and aliases are not read.', fix: 'Write the values out.' };
    if (token === '{' || token === '[') this.#depth += 1;
    if (token === '}' || token === ']') this.#depth -= 1;
    if (this.#depth > deepest) this.over = { ...start, message: `Brackets are nested deeper than ${String(deepest)}.`, fix: 'Nothing in a policy is that deep: close brackets earlier.' };
    return this.over === null;
  }
}
