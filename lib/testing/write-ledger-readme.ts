import { writeLedgerReadme } from './ledger-readme';

/** Writes the field tables of the format's page: `npx tsx lib/testing/write-ledger-readme.ts`. A test says when it is due. */
writeLedgerReadme();
