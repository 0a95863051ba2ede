/** The part of a document that a problem underlines. */
export type UnderlinedRange = { readonly from: number; readonly to: number };

type Lines = { readonly lines: number; readonly line: (number: number) => { readonly from: number; readonly text: string } };

/** From line and column, which count from 1, to the end of the word there; a whole line where it has no such column. Never past the text. */
export function diagnosticRange({ lines, line }: Lines, at: { readonly line: number; readonly column: number }): UnderlinedRange {
  const { from, text } = line(Math.min(Math.max(1, at.line), lines));
  const column = Math.max(0, at.column - 1);
  if (column >= text.length) return { from: from + (text.length - text.trimStart().length), to: from + text.length };
  const word = /^(?:[\w.*@-]+|.)/u.exec(text.slice(column))?.[0] ?? '';
  return { from: from + column, to: from + column + word.length };
}
