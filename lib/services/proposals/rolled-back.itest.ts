import { afterAll, beforeAll, expect, it } from 'vitest';

import { readStatement } from '@/lib/ledger/statement';
import { nodeSha256 } from '@/lib/server/node-sha256';
import type { ConsoleParts } from '@/lib/services/console/console-parts';
import { parseEnvelope } from '@/lib/shared/dsse';
import { testConsole, valueOf } from '@/lib/testing/console-fixture';
import { startTestPlane, type TestPlane } from '@/lib/testing/plane-fixture';
import { planePolicy } from '@/lib/testing/plane-policy';
import { proposed, signedBy, type Signatory } from '@/lib/testing/proposing';
import { verdictOfLog } from '@/lib/testing/verdict-of-log';

let plane: TestPlane;
let parts: ConsoleParts;
let close: () => Promise<void>;
let olga: Signatory;

beforeAll(async () => {
  plane = await startTestPlane(planePolicy);
  ({ parts, close } = await testConsole(plane));
  olga = { person: plane.personOf('owner'), key: plane.owner };
});
afterAll(async () => {
  await close();
  await plane.stop();
});

const apply = async (text: string): Promise<number> => {
  valueOf(await signedBy(parts, olga, [await proposed(parts, olga, text)]));
  return (await parts.inForce.refresh()).policy?.revision ?? 0;
};
const rolledBack = async () =>
  (await parts.log.search({ kind: 'policy_rolled_back' }, { limit: 10 })).rows.map((row) => valueOf(readStatement(nodeSha256, valueOf(parseEnvelope(row.envelope)))).predicate);

it('a proposal that brings an old text back becomes a higher revision, says so in the log, and verifies offline', async () => {
  const first = (await parts.inForce.refresh()).policy;
  const next = await apply(planePolicy.replace('Mail is allowed.', 'Mail is allowed, today.'));
  expect(await rolledBack()).toEqual([]);
  const back = await apply(planePolicy);
  expect(back).toBe(next + 1);
  expect(await rolledBack()).toMatchObject([{ revision: back, digest: first?.digest, restores: { revision: first?.revision, digest: first?.digest }, replaces: { revision: next } }]);
  const report = await verdictOfLog(parts, plane.provisioned);
  expect(report.checks.filter(({ state }) => state === 'fail')).toEqual([]);
});
