import fs from 'node:fs';
import path from 'node:path';

import { ledgerVectors, vectorsText } from './ledger-vectors';

/** Writes the test vectors of the format's page: `npx tsx lib/testing/write-ledger-vectors.ts`. A test says when it is due. */
const folder = path.resolve(import.meta.dirname, '../ledger/fixtures');
const { files, cases } = await ledgerVectors();
fs.mkdirSync(folder, { recursive: true });
for (const [name, bytes] of files) fs.writeFileSync(path.join(folder, name), bytes);
fs.writeFileSync(path.join(folder, 'vectors.json'), vectorsText(cases));
