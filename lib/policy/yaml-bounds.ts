import { Lexer } from 'yaml';

import { bounds } from '@/lib/shared/bounds';
import type { Issue } from '@/lib/shared/result';

const deepest = 24;
/** None is read; past this many, naming each would only take time. */
const mostAliases = 100;

/** Bounds on size and nesting by the lexer alone: composing a deeply nested text can end the process. */
export function overBounds(text: string): Issue | null {
  const start = { path: '', line: 1, column: 1 };
  if (text.length > bounds.policyBytes) return { ...start, message: `The policy is over ${String(bounds.policyBytes)} bytes.`, fix: 'Split it, or shorten its prose.' };
  let depth = 0;
  let aliases = 0;
  for (const token of new Lexer().lex(text)) {
    if (/^[*&]/.test(token) && ++aliases > mostAliases) return { ...start, message: 'Anchors and aliases are not read.', fix: 'Write the values out.' };
    if (token === '{' || token === '[') depth += 1;
    if (token === '}' || token === ']') depth -= 1;
    if (depth > deepest) return { ...start, message: `Brackets are nested deeper than ${String(deepest)}.`, fix: 'Nothing in a policy is that deep: close brackets earlier.' };
  }
  const indents = text.split('\n').reduce((most, line) => Math.max(most, /^[ -]*/.exec(line)?.[0].length ?? 0), 0);
  return indents > 400 ? { ...start, message: 'The text is indented too deeply.', fix: 'Indent each level by two spaces.' } : null;
}
