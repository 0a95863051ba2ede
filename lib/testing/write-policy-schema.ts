import fs from 'node:fs';
import path from 'node:path';

import { policyJsonSchema } from '@/lib/policy/policy-json-schema';

/** Writes what editors load, from what reads policies: `npx tsx lib/testing/write-policy-schema.ts`. A test says when it is due. */
fs.writeFileSync(path.resolve(import.meta.dirname, '../../public/schema/policy-v1.json'), `${JSON.stringify(policyJsonSchema(), null, 2)}\n`);
