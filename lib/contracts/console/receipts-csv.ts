/** Lines of one table at most. Beyond it a spreadsheet is the wrong tool, and a bundle the right one. */
export const mostCsvRows = 100_000;
