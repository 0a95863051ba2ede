import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { createPool } from '@/lib/db/pool';
import type { ConsoleParts } from '@/lib/services/console/console-parts';
import { isId, type ProposalId } from '@/lib/shared/ids';
import { codeOf, signText, unreadableReceipts, valueOf, viewerById } from '@/lib/testing/console-fixture';
import type { TestPlane } from '@/lib/testing/plane-fixture';
import { startProposalStage, withRule, type ProposalStage } from '@/lib/testing/proposal-stage';
import { proposed, proved, receiptsOf, signedBy, signedDocuments, type Signatory } from '@/lib/testing/proposing';
import { verdictOfLog } from '@/lib/testing/verdict-of-log';

import { applyProposal } from './apply-proposal';
import { rejectProposal, withdrawProposal } from './end-proposal';
import { prepareSigning } from './prepare-signing';
import { orderProposals, rebaseProposal } from './rebase-proposal';
import { signProposals } from './sign-proposals';
import { proposalsView } from './views/proposals-view';

let stage: ProposalStage;
let plane: TestPlane;
let parts: ConsoleParts;
let other: ConsoleParts;
let olga: Signatory;

beforeAll(async () => {
  stage = await startProposalStage();
  ({ plane, parts, other, olga } = stage);
});
afterAll(async () => {
  await stage.stop();
});

describe('where one owner is enough', () => {
  it('an own proposal may be signed, is in force at once, and receipt and revision say that it is self-signed', async () => {
    const text = withRule((await stage.inForce()).text, 'first-rule');
    const id = await proposed(parts, olga, text, 'No reading of notes.');
    const signed = valueOf(await signedBy(parts, olga, [id]));
    expect(signed.steps).toMatchObject([{ applied: true, revision: 2 }]);
    expect(await stage.inForce()).toMatchObject({ revision: 2, text });
    expect(await stage.stateOf(id)).toBe('applied');
    expect(await receiptsOf(parts, 'policy_signed', id)).toMatchObject([{ self_signed: true }]);
    expect(await receiptsOf(parts, 'policy_applied', id)).toMatchObject([{ self_signed: true, origin: 'proposal', revision: 2 }]);
  });

  it('an agent’s proposal is signed by the plane’s receipt, and the agent sees what became of it', async () => {
    const policy = await stage.inForce();
    const text = withRule(policy.text, 'agents-rule');
    const made = await plane.call(plane.token('helper'), 'POST', '/v1/proposals', { base: { revision: policy.revision, digest: policy.digest }, text, reason: 'I was told to.' });
    expect(made).toMatchObject({ status: 201, body: { state: 'open', proof: null, signatures: 0 } });
    const id: unknown = made.body.id;
    if (typeof id !== 'string' || !isId('proposal', id)) throw new Error('No id.');
    await proved(parts, id);
    expect((await plane.call(plane.token('stranger'), 'GET', `/v1/proposals/${id}`)).status).toBe(404);
    valueOf(await signedBy(parts, olga, [id]));
    expect((await plane.call(plane.token('helper'), 'GET', `/v1/proposals/${id}`)).body).toMatchObject({ state: 'applied', revision: policy.revision + 1, signatures: 1 });
    expect((await receiptsOf(parts, 'policy_proposed', id))[0]).toMatchObject({ by: { kind: 'agent', id: 'helper' }, not_counted: [plane.personOf('admin')], origin: 'agent' });
  });

  it('a patch that fits the base is taken, one that does not is refused', async () => {
    const policy = await stage.inForce();
    const base = { revision: policy.revision, digest: policy.digest };
    const lines = policy.text.split('\n');
    const last = lines.length - 1;
    const patch = `--- a\n+++ b\n@@ -${last},1 +${last},2 @@\n ${lines[last - 1] ?? ''}\n+# Said by an agent.\n`;
    const made = await plane.call(plane.token('helper'), 'POST', '/v1/proposals', { base, patch });
    expect(made).toMatchObject({ status: 201 });
    expect((await plane.call(plane.token('helper'), 'DELETE', `/v1/proposals/${String(made.body.id)}`)).body).toMatchObject({ state: 'withdrawn' });
    expect(await plane.call(plane.token('helper'), 'POST', '/v1/proposals', { base, patch: patch.replace(lines[last - 1] ?? '', 'something else') })).toMatchObject({ status: 400, body: { error: { code: 'invalid_input' } } });
    expect(await plane.call(plane.token('helper'), 'POST', '/v1/proposals', { base: { ...base, revision: base.revision + 1 }, text: `${policy.text}# x\n` })).toMatchObject({ status: 409, body: { error: { code: 'policy_base_changed' } } });
  });

  it('an attempt to edit is refused with the same digest before and after, and what was wanted becomes a proposal', async () => {
    const policy = await stage.inForce();
    const wanted = policy.text.replace('decision: DENY', 'decision: ALLOW');
    const { status, body } = await plane.call(plane.token('helper'), 'PUT', '/v1/policy', { text: wanted });
    expect(status).toBe(403);
    expect(body.error).toMatchObject({ code: 'refused_direct_edit' });
    expect(String(body.error.detail)).toContain(`SHA-256 is ${policy.digest} before and ${policy.digest} after`);
    const [card] = await parts.proposals.list('live', 1);
    expect(card).toMatchObject({ maker_kind: 'agent', maker_id: 'helper', state: 'open' });
    expect(await receiptsOf(parts, 'edit_refused', card?.id as ProposalId)).toHaveLength(1);
    expect((await stage.inForce()).digest).toBe(policy.digest);
    valueOf(await rejectProposal(parts, { kind: 'person', id: olga.person }, card?.id as ProposalId, 'Never.'));
    expect((await plane.call(plane.token('helper'), 'GET', `/v1/proposals/${String(card?.id)}`)).body).toMatchObject({ state: 'rejected', reason: 'Never.' });
  });

  it('what was written on a text that is in force no more is stale, cannot be signed, and is rebased as a new proposal', async () => {
    const start = await stage.inForce();
    const late = await proposed(parts, olga, start.text.replace('"Mail is allowed."', '"Mail may go out."'));
    const soon = await proposed(parts, olga, withRule(start.text, 'soon-rule'));
    valueOf(await signedBy(parts, olga, [soon]));
    expect(await stage.stateOf(late)).toBe('stale');
    expect(codeOf(await signedBy(parts, olga, [late]))).toBe('already_resolved');
    const { proposal } = valueOf(await rebaseProposal(parts, late));
    expect(await parts.proposals.find(proposal)).toMatchObject({ rebased_from: late, maker_kind: 'service', base_revision: start.revision + 1, state: 'open' });
    expect(codeOf(await signedBy(parts, olga, [proposal]))).toBe('proposal_not_proved');
    await proved(parts, proposal);
    valueOf(await signedBy(parts, olga, [proposal]));
    const { text } = await stage.inForce();
    expect(text).toContain('soon-rule');
    expect(text).toContain('Mail may go out.');
  });

  it('what both change in the same lines is a conflict, and nothing is made of it', async () => {
    const { text } = await stage.inForce();
    const one = await proposed(parts, olga, text.replace('"Mail may go out."', '"Mail goes."'));
    const two = await proposed(parts, olga, text.replace('"Mail may go out."', '"Mail went."'));
    valueOf(await signedBy(parts, olga, [one]));
    expect(codeOf(await rebaseProposal(parts, two))).toBe('proposal_conflicts');
  });

  it('a base that moves between looking and signing makes it stale', async () => {
    const { text } = await stage.inForce();
    const seen = await proposed(parts, olga, withRule(text, 'seen-rule'));
    const viewer = await viewerById(parts, olga.person);
    const prepared = valueOf(await prepareSigning(parts, viewer, [seen]));
    const quick = await proposed(other, olga, withRule(text, 'quick-rule'));
    valueOf(await signedBy(other, olga, [quick]));
    const late = await signProposals(parts, viewer, { proposals: [seen], statement: await signText(prepared.statement, olga.key), documents: await signedDocuments(prepared, olga.key) });
    expect(['policy_base_changed', 'already_resolved']).toContain(codeOf(late));
    expect(await stage.stateOf(seen)).toBe('stale');
  });

  it('any subset is applied in the order chosen, under one statement over the chain', async () => {
    const start = await stage.inForce();
    const a = await proposed(parts, olga, start.text.replace('"Updates are allowed once capped."', '"Updates may be made once capped."'));
    const b = await proposed(parts, olga, withRule(start.text, 'chain-rule'));
    const c = await proposed(parts, olga, start.text.replace('"Ten rows at a time."', '"Ten at once."'));
    const { proposals } = valueOf(await orderProposals(parts, [c, b]));
    expect(proposals[0]).toBe(c);
    expect(await stage.stateOf(b)).toBe('open');
    await proved(parts, proposals[1] as ProposalId);
    expect(valueOf(await orderProposals(parts, [c, b])).proposals).toEqual(proposals);
    const signed = valueOf(await signedBy(parts, olga, proposals));
    expect(signed.steps.map(({ applied, revision }) => [applied, revision])).toEqual([[true, start.revision + 1], [true, start.revision + 2]]);
    const { text } = await stage.inForce();
    expect([text.includes('chain-rule'), text.includes('Ten at once.'), text.includes('Updates may be made')]).toEqual([true, true, false]);
    const [, second] = proposals;
    const [one, two] = [await receiptsOf(parts, 'policy_signed', c), await receiptsOf(parts, 'policy_signed', second as ProposalId)];
    expect(one[0] && 'envelope' in one[0] && one[0].envelope).toEqual(two[0] && 'envelope' in two[0] && two[0].envelope);
    expect([await stage.stateOf(a), await stage.stateOf(b)]).toEqual(['stale', 'stale']);
  });

  it('red tests cannot be signed away', async () => {
    const { text } = await stage.inForce();
    const id = await proposed(parts, olga, withRule(text, 'red-rule'));
    await proved(parts, id, { tests: { passed: 3, failed: 1 } });
    expect(codeOf(await signedBy(parts, olga, [id]))).toBe('proposal_not_applicable');
    valueOf(await withdrawProposal(parts, { kind: 'person', id: olga.person }, id));
  });

  it('only its maker withdraws it, and a rejected one keeps its reason', async () => {
    const { text } = await stage.inForce();
    const id = await proposed(parts, olga, withRule(text, 'taken-back'));
    expect(codeOf(await withdrawProposal(parts, { kind: 'person', id: plane.personOf('admin') }, id))).toBe('not_found');
    valueOf(await withdrawProposal(parts, { kind: 'person', id: olga.person }, id));
    expect(codeOf(await signedBy(parts, olga, [id]))).toBe('already_resolved');
  });
});

it('what has ended says what it changed, as what is open does', async () => {
  const { ended } = await proposalsView(parts);
  const saying = (state: string, rules: object) => expect.objectContaining({ state, rules: { added: [], changed: [], removed: [], ...rules } }) as unknown;
  expect(ended).toEqual(expect.arrayContaining([
    saying('applied', { added: ['first-rule'] }), saying('applied', { added: ['soon-rule'] }), saying('withdrawn', { added: ['taken-back'] }), saying('stale', { added: ['seen-rule'] }), saying('rejected', {}),
  ]));
  expect(await proposalsView(parts)).toMatchObject({ ended });
});

describe('an attacker with the database in their hands', () => {
  it('changes nothing by rewriting rows of proposals: what the receipts state is compared', async () => {
    const { text } = await stage.inForce();
    const id = await proposed(parts, olga, withRule(text, 'honest-rule'));
    const worse = text.replace('decision: DENY', 'decision: ALLOW');
    const pool = createPool({ url: plane.databaseUrl, max: 1, onIdleError: () => undefined });
    const run = (sql: string, values: unknown[] = []) => pool.query(sql, values);
    await run(`UPDATE "proposals" SET "text" = $2 WHERE "id" = $1`, [id, worse]);
    expect(codeOf(await signedBy(parts, olga, [id]))).toBe('proposal_altered');
    await run(`UPDATE "proposals" SET "text" = $2, "maker_id" = 'per_somebody' WHERE "id" = $1`, [id, withRule(text, 'honest-rule')]);
    expect(codeOf(await signedBy(parts, olga, [id]))).toBe('proposal_altered');
    await run(`UPDATE "proposals" SET "maker_id" = $2, "change" = 'tighten' WHERE "id" = $1`, [id, olga.person]);
    expect(codeOf(await signedBy(parts, olga, [id]))).toBe('proposal_altered');
    await run(`UPDATE "proposals" SET "change" = 'not_proved' WHERE "id" = $1`, [id]);
    valueOf(await rejectProposal(parts, { kind: 'person', id: olga.person }, id, 'No.'));
    await run(`UPDATE "proposals" SET "state" = 'open', "ended_at" = NULL, "ended_by" = NULL, "ended_receipt" = NULL, "ended_reason" = NULL WHERE "id" = $1`, [id]);
    expect(codeOf(await signedBy(parts, olga, [id]))).toBe('already_resolved');
    // A signature that was given for another text, and a state that nobody reached.
    await run(`INSERT INTO "proposal_signatures" SELECT "workspace_id", $1, "person_id", "envelope", "documents", $2, "signed_at", "receipt_id" FROM "proposal_signatures" LIMIT 1`, [id, (await parts.proposals.find(id))?.proof?.proof_digest]);
    await run(`UPDATE "proposals" SET "state" = 'signed' WHERE "id" = $1`, [id]);
    expect(codeOf(await applyProposal(parts, { kind: 'person', id: olga.person }, id))).toBe('already_resolved');
    await pool.end();
  });

  it('gains nothing by signatures that were given for something else', async () => {
    const { text } = await stage.inForce();
    const id = await proposed(parts, olga, withRule(text, 'unsigned-rule'));
    const proof = (await parts.proposals.find(id))?.proof?.proof_digest;
    const pool = createPool({ url: plane.databaseUrl, max: 1, onIdleError: () => undefined });
    await pool.query(`INSERT INTO "proposal_signatures" SELECT "workspace_id", $1, "person_id", "envelope", "documents", $2, "signed_at", "receipt_id" FROM "proposal_signatures" LIMIT 1`, [id, proof]);
    await pool.query(`UPDATE "proposals" SET "state" = 'signed' WHERE "id" = $1`, [id]);
    await pool.end();
    expect(codeOf(await applyProposal(parts, { kind: 'person', id: olga.person }, id))).toBe('policy_signers_too_few');
    expect((await stage.inForce()).text).toBe(text);
  });
});

it('every receipt of all this reads back, and the whole log verifies offline', async () => {
  expect(await unreadableReceipts(parts)).toEqual([]);
  const report = await verdictOfLog(parts, plane.provisioned);
  expect(report.checks.filter(({ state }) => state === 'fail')).toEqual([]);
});
