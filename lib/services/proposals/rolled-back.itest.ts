import { afterAll, beforeAll, expect, it } from 'vitest';

import { readStatement } from '@/lib/ledger/statement';
import { stockCatalogue } from '@/lib/mediate/stock';
import { verifyEd25519 } from '@/lib/server/ed25519';
import { nodeSha256 } from '@/lib/server/node-sha256';
import type { ConsoleParts } from '@/lib/services/console/console-parts';
import { exportBundle } from '@/lib/services/export-bundle';
import { parseEnvelope } from '@/lib/shared/dsse';
import { testConsole, valueOf } from '@/lib/testing/console-fixture';
import { startTestPlane, type TestPlane } from '@/lib/testing/plane-fixture';
import { planePolicy } from '@/lib/testing/plane-policy';
import { proposed, signedBy, type Signatory } from '@/lib/testing/proposing';
import { rederiveWith } from '@/lib/verify/rederive-decision';
import { verifyBundle } from '@/lib/verify/verify-bundle';

let plane: TestPlane;
let parts: ConsoleParts;
let close: () => Promise<void>;
let olga: Signatory;

beforeAll(async () => {
  plane = await startTestPlane(planePolicy);
  ({ parts, close } = await testConsole({ databaseUrl: plane.databaseUrl, workspace: plane.workspace, stateDirectory: plane.stateDirectory }));
  const person = plane.provisioned.people.get('owner@harbor.example');
  if (!person) throw new Error('No owner.');
  olga = { person, key: plane.owner };
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
  const exported = valueOf(await exportBundle({ ...parts, sha256: nodeSha256, signer: parts.signer }, { withhold: false, now: new Date().toISOString() }));
  const report = await verifyBundle(exported.bytes, { sha256: nodeSha256, verifySignature: verifyEd25519, root: plane.provisioned.fingerprint, rederive: rederiveWith(nodeSha256, stockCatalogue(nodeSha256)) });
  expect(report.checks.filter(({ state }) => state === 'fail')).toEqual([]);
});
