import fs from 'node:fs';
import path from 'node:path';

import { describeReceipts, idTable } from './describe-receipts';

const file = path.resolve(import.meta.dirname, '../ledger/README.md');
const fields = /<!-- fields -->\n[^]*?<!-- end of fields -->/;
const ids = /(?<=Prefixes: )[^\n]*(?=\.\n)/;

export const readLedgerReadme = (): string => fs.readFileSync(file, 'utf8');

/** The format's page with its tables written anew from the schemas. */
export const withFieldTables = (page: string): string =>
  page.replace(fields, () => `<!-- fields -->\n${describeReceipts()}\n<!-- end of fields -->`).replace(ids, idTable);

export const writeLedgerReadme = (): void => fs.writeFileSync(file, withFieldTables(readLedgerReadme()));
