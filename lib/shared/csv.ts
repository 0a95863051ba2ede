/** What spreadsheets take for the beginning of a formula, in ASCII and in full width. Source: OWASP, "CSV Injection". */
const formula = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;
const needsQuotes = /[",;'\r\n\t]|^\s|\s$/;

/**
 * One field of a CSV file. Text that a spreadsheet would run as a formula gets an apostrophe in front, whoever wrote it; quoted as
 * RFC 4180 has it, and where a list of semicolons would read it otherwise.
 */
export function csvCell(value: string | number | null): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  const safe = formula.test(value) ? `'${value}` : value;
  return needsQuotes.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** One record, its end included. */
export const csvLine = (cells: readonly (string | number | null)[]): string => `${cells.map(csvCell).join(',')}\r\n`;

/** In front of a file, so that spreadsheets read it as UTF-8. */
export const byteOrderMark = '\ufeff';
