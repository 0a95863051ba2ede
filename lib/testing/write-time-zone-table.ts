import fs from 'node:fs';
import path from 'node:path';

import { timeZoneRowsHere, tzdataReleaseHere } from './time-zone-source';

/**
 * Writes the table anew from this machine's tzdata: `npx tsx lib/testing/write-time-zone-table.ts`. Policies that read a time then
 * decide by another table, so `timeZonesVersion` goes up with it.
 */
const release = tzdataReleaseHere();
if (release === null) throw new Error('This machine has no tzdata.');
const rows = timeZoneRowsHere().map((row) => `  '${row}',`);
const text = `/** Release of the IANA time zone database (public domain) that the rows were made from by \`lib/testing/write-time-zone-table.ts\`. */
export const tzdataRelease = '${release}';

/** One row for all zones that have the same offsets from 2020 on; \`time-zones.ts\` says how it is read. */
export const timeZoneRows: readonly string[] = [
${rows.join('\n')}
];
`;
fs.writeFileSync(path.resolve(import.meta.dirname, '../engine/time-zone-table.ts'), text);
