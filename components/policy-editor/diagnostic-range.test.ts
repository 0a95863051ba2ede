import { describe, expect, it } from 'vitest';

import { diagnosticRange } from './diagnostic-range';

function underlined(text: string, line: number, column: number): string {
  const rows = text.split('\n');
  const starts = rows.map((_, at) => rows.slice(0, at).reduce((sum, row) => sum + row.length + 1, 0));
  const { from, to } = diagnosticRange({ lines: rows.length, line: (number) => ({ from: starts[number - 1] ?? 0, text: rows[number - 1] ?? '' }) }, { line, column });
  expect(from).toBeLessThanOrEqual(to);
  expect(to).toBeLessThanOrEqual(text.length);
  return text.slice(from, to);
}

const text = 'id: x\nrules:\n  - id: no-mail\n    action: DENI\n';

describe('a problem underlines', () => {
  it.each([
    ['the word at its place', 4, 13, 'DENI'],
    ['a key', 4, 5, 'action'],
    ['a name with dashes', 3, 9, 'no-mail'],
    ['one character where no word stands', 3, 3, '-'],
    ['the whole line where the column is behind its end', 2, 99, 'rules:'],
    ['nothing on an empty line', 5, 1, ''],
    ['the last line where the line is behind the end', 99, 1, ''],
    ['the first line where the line is before the start', 0, 0, 'id'],
  ])('%s', (_name, line, column, wanted) => {
    expect(underlined(text, line, column)).toBe(wanted);
  });
});
