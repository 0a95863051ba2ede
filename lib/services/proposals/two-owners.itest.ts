import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { generateKey } from '@/lib/server/ed25519';
import type { ConsoleParts } from '@/lib/services/console/console-parts';
import { changeRoster, codeOf, listed, unreadableReceipts, valueOf } from '@/lib/testing/console-fixture';
import { listedFile, type TestPlane } from '@/lib/testing/plane-fixture';
import { startProposalStage, withRule, type ProposalStage } from '@/lib/testing/proposal-stage';
import { proposed, receiptsOf, signedBy, type Signatory } from '@/lib/testing/proposing';
import { changeRoot } from '@/lib/testing/trust-ceremony';
import { verdictOfLog } from '@/lib/testing/verdict-of-log';

import { applyProposal } from './apply-proposal';

let stage: ProposalStage;
let plane: TestPlane;
let parts: ConsoleParts;
let other: ConsoleParts;
let olga: Signatory;
let ben: Signatory;

beforeAll(async () => {
  stage = await startProposalStage();
  ({ plane, parts, other, olga } = stage);
});
afterAll(async () => {
  await stage.stop();
});

describe('where two owners are asked for', () => {
  const keys = { ben: generateKey(), cleo: generateKey() };
  let cleo: Signatory;

  beforeAll(async () => {
    ben = { person: plane.personOf('approver'), key: keys.ben };
    cleo = { person: plane.personOf('second'), key: keys.cleo };
    for (const one of [ben, cleo]) {
      await changeRoster(parts, olga, { kind: 'set_person', person: one.person, roles: ['owner'], groups: [] });
      await other.inForce.refresh();
    }
    const owners = [{ person: olga.person, key: listedFile(olga.key) }, ...[ben, cleo].map(({ person, key }) => ({ person, key: listed(key) }))];
    await changeRoot(parts, { owners, thresholds: { policy: 1, loosening: 2, root: 1 } }, olga, ben);
    await other.inForce.refresh();
  });

  it('the proposer does not count, in either browser: two others have to sign', async () => {
    const { text, revision } = await stage.inForce();
    const id = await proposed(parts, olga, withRule(text, 'two-rule'));
    expect(valueOf(await signedBy(parts, olga, [id])).steps[0]).toMatchObject({ applied: false });
    expect(valueOf(await signedBy(other, ben, [id])).steps[0]).toMatchObject({ applied: false });
    expect(codeOf(await applyProposal(parts, { kind: 'person', id: olga.person }, id))).toBe('policy_signers_too_few');
    expect(valueOf(await signedBy(parts, cleo, [id])).steps[0]).toMatchObject({ applied: true, revision: revision + 1 });
    expect((await stage.inForce()).revision).toBe(revision + 1);
  });

  it('two processes that race with the last signatures apply it once', async () => {
    const { text, revision } = await stage.inForce();
    const id = await proposed(parts, olga, withRule(text, 'race-rule'));
    const both = await Promise.all([signedBy(parts, ben, [id]), signedBy(other, cleo, [id])]);
    expect(both.map(codeOf)).toEqual(['ok', 'ok']);
    expect((await stage.inForce()).revision).toBe(revision + 1);
    expect(await receiptsOf(parts, 'policy_applied', id)).toHaveLength(1);
    expect(await receiptsOf(parts, 'policy_signed', id)).toHaveLength(2);
  });

  it('two processes that race to apply it apply it once', async () => {
    const { text, revision } = await stage.inForce();
    const id = await proposed(parts, olga, withRule(text, 'apply-rule'));
    valueOf(await signedBy(parts, ben, [id]));
    valueOf(await signedBy(parts, cleo, [id]));
    const again = await Promise.all([applyProposal(parts, { kind: 'person', id: ben.person }, id), applyProposal(other, { kind: 'person', id: cleo.person }, id)]);
    expect(again.map(codeOf)).toEqual(['already_resolved', 'already_resolved']);
    expect((await stage.inForce()).revision).toBe(revision + 1);
  });

  it('a signature by a key that is no owner’s is none', async () => {
    const { text } = await stage.inForce();
    const id = await proposed(parts, olga, withRule(text, 'stranger-rule'));
    expect(codeOf(await signedBy(parts, ben, [id], generateKey()))).toBe('signature_invalid');
    expect(await stage.stateOf(id)).toBe('open');
  });
});

it('every receipt of all this reads back, and the whole log verifies offline', async () => {
  expect(await unreadableReceipts(parts)).toEqual([]);
  const report = await verdictOfLog(parts, plane.provisioned);
  expect(report.checks.filter(({ state }) => state === 'fail')).toEqual([]);
});
