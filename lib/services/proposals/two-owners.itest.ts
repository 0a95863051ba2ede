import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { ReceiptKind } from '@/lib/ledger/receipt-predicate';
import { readStatement } from '@/lib/ledger/statement';
import { stockCatalogue } from '@/lib/mediate/stock';
import { generateKey, verifyEd25519 } from '@/lib/server/ed25519';
import { nodeSha256 } from '@/lib/server/node-sha256';
import type { ConsoleParts } from '@/lib/services/console/console-parts';
import { exportBundle } from '@/lib/services/export-bundle';
import { parseEnvelope } from '@/lib/shared/dsse';
import type { PersonId, ProposalId } from '@/lib/shared/ids';
import { changeRoster, listed, testConsole, unreadableReceipts, valueOf } from '@/lib/testing/console-fixture';
import { listedFile, startTestPlane, type TestPlane } from '@/lib/testing/plane-fixture';
import { planePolicy } from '@/lib/testing/plane-policy';
import { proposed, signedBy, type Signatory } from '@/lib/testing/proposing';
import { changeRoot } from '@/lib/testing/trust-ceremony';
import { rederiveWith } from '@/lib/verify/rederive-decision';
import { verifyBundle } from '@/lib/verify/verify-bundle';

import { applyProposal } from './apply-proposal';

let plane: TestPlane;
let parts: ConsoleParts;
let other: ConsoleParts;
const closing: (() => Promise<void>)[] = [];
let olga: Signatory;
let ben: Signatory;

const codeOf = (result: { readonly ok: boolean; readonly error?: { readonly code: string } }) => (result.ok ? 'ok' : result.error?.code);
const personOf = (who: string): PersonId => {
  const id = plane.provisioned.people.get(`${who}@harbor.example`);
  if (!id) throw new Error(`No ${who}.`);
  return id;
};
const rule = (id: string) => `  - id: ${id}\n    match: { tool: notes, operation: read }\n    action: DENY\n    reason: "Not these."\n`;
/** A further rule at the end, or a reason changed in the middle. */
const withRule = (text: string, id: string) => `${text}${rule(id)}`;
const stateOf = async (id: ProposalId) => (await parts.proposals.find(id))?.state;
const inForce = async () => {
  const { policy } = await parts.inForce.refresh();
  if (!policy) throw new Error('Nothing is in force.');
  return policy;
};
const receiptsOf = async (kind: ReceiptKind, id: ProposalId) => {
  const rows = (await parts.log.search({ kind }, { limit: 100 })).rows;
  return rows.map((row) => valueOf(readStatement(nodeSha256, valueOf(parseEnvelope(row.envelope)))).predicate).filter((predicate) => 'proposal' in predicate && predicate.proposal === id);
};

beforeAll(async () => {
  plane = await startTestPlane(planePolicy);
  const where = { databaseUrl: plane.databaseUrl, workspace: plane.workspace, stateDirectory: plane.stateDirectory };
  const [first, second] = [await testConsole(where), await testConsole(where)];
  parts = first.parts;
  other = second.parts;
  closing.push(first.close, second.close);
  olga = { person: personOf('owner'), key: plane.owner };
});
afterAll(async () => {
  for (const close of closing) await close();
  await plane.stop();
});

describe('where two owners are asked for', () => {
  const keys = { ben: generateKey(), cleo: generateKey() };
  let cleo: Signatory;

  beforeAll(async () => {
    ben = { person: personOf('approver'), key: keys.ben };
    cleo = { person: personOf('second'), key: keys.cleo };
    for (const one of [ben, cleo]) {
      await changeRoster(parts, olga, { kind: 'set_person', person: one.person, roles: ['owner'], groups: [] });
      await other.inForce.refresh();
    }
    const owners = [{ person: olga.person, key: listedFile(olga.key) }, ...[ben, cleo].map(({ person, key }) => ({ person, key: listed(key) }))];
    await changeRoot(parts, { owners, thresholds: { policy: 1, loosening: 2, root: 1 } }, olga, ben);
    await other.inForce.refresh();
  });

  it('the proposer does not count, in either browser: two others have to sign', async () => {
    const { text, revision } = await inForce();
    const id = await proposed(parts, olga, withRule(text, 'two-rule'));
    expect(valueOf(await signedBy(parts, olga, [id])).steps[0]).toMatchObject({ applied: false });
    expect(valueOf(await signedBy(other, ben, [id])).steps[0]).toMatchObject({ applied: false });
    expect(codeOf(await applyProposal(parts, { kind: 'person', id: olga.person }, id))).toBe('policy_signers_too_few');
    expect(valueOf(await signedBy(parts, cleo, [id])).steps[0]).toMatchObject({ applied: true, revision: revision + 1 });
    expect((await inForce()).revision).toBe(revision + 1);
  });

  it('two processes that race with the last signatures apply it once', async () => {
    const { text, revision } = await inForce();
    const id = await proposed(parts, olga, withRule(text, 'race-rule'));
    const both = await Promise.all([signedBy(parts, ben, [id]), signedBy(other, cleo, [id])]);
    expect(both.map(codeOf)).toEqual(['ok', 'ok']);
    expect((await inForce()).revision).toBe(revision + 1);
    expect(await receiptsOf('policy_applied', id)).toHaveLength(1);
    expect(await receiptsOf('policy_signed', id)).toHaveLength(2);
  });

  it('two processes that race to apply it apply it once', async () => {
    const { text, revision } = await inForce();
    const id = await proposed(parts, olga, withRule(text, 'apply-rule'));
    valueOf(await signedBy(parts, ben, [id]));
    valueOf(await signedBy(parts, cleo, [id]));
    const again = await Promise.all([applyProposal(parts, { kind: 'person', id: ben.person }, id), applyProposal(other, { kind: 'person', id: cleo.person }, id)]);
    expect(again.map(codeOf)).toEqual(['already_resolved', 'already_resolved']);
    expect((await inForce()).revision).toBe(revision + 1);
  });

  it('a signature by a key that is no owner’s is none', async () => {
    const { text } = await inForce();
    const id = await proposed(parts, olga, withRule(text, 'stranger-rule'));
    expect(codeOf(await signedBy(parts, ben, [id], generateKey()))).toBe('signature_invalid');
    expect(await stateOf(id)).toBe('open');
  });
});

it('every receipt of all this reads back, and the whole log verifies offline', async () => {
  expect(await unreadableReceipts(parts)).toEqual([]);
  const { bytes } = valueOf(await exportBundle({ ...parts, sha256: nodeSha256, signer: parts.signer }, { withhold: false, now: new Date().toISOString() }));
  const report = await verifyBundle(bytes, { sha256: nodeSha256, verifySignature: verifyEd25519, root: plane.provisioned.fingerprint, rederive: rederiveWith(nodeSha256, stockCatalogue(nodeSha256)) });
  expect(report.checks.filter(({ state }) => state === 'fail')).toEqual([]);
});
