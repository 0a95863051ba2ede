import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { createPool } from '@/lib/db/pool';
import { generateKey, type SigningKey } from '@/lib/server/ed25519';
import { registerAgent } from '@/lib/services/console/register-agent';
import { suspendAgent } from '@/lib/services/console/suspend-agent';
import { applyProposal } from '@/lib/services/proposals/apply-proposal';
import { rejectProposal } from '@/lib/services/proposals/end-proposal';
import { endsRunOut } from '@/lib/services/proposals/end-run-out';
import { makeProposal, prepareProposal } from '@/lib/services/proposals/make-proposal';
import { proposalDetail } from '@/lib/services/proposals/views/proposal-detail';
import { proposalsView } from '@/lib/services/proposals/views/proposals-view';
import { isId, type ProposalId } from '@/lib/shared/ids';
import { startApprovalStage, type ApprovalStage } from '@/lib/testing/approval-stage';
import { codeOf, enrolled, signText, unreadableReceipts, valueOf, viewerById } from '@/lib/testing/console-fixture';
import { callPlane, type PlaneAnswer } from '@/lib/testing/plane-fixture';
import { planePolicy } from '@/lib/testing/plane-policy';
import { receiptsOf, signedBy } from '@/lib/testing/proposing';
import { verdictOfLog } from '@/lib/testing/verdict-of-log';

import { prepareGrant } from './prepare-grant';
import { revokeGrant } from './revoke-grant';
import { signGrant } from './sign-grant';

let stage: ApprovalStage;
beforeAll(async () => {
  stage = await startApprovalStage(planePolicy.replace('  - name: notes.write\n', '  - name: notes.write\n    grant: required\n'));
}, 120_000);
afterAll(async () => {
  await stage.stop();
});

const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString();
const terms = (more: object = {}) => ({ target: 'grant', tool: 'notes', operation: 'write', scope: { text: ['a', 'b'] }, uses: 2, expires_at: inAnHour(), reason: 'I was told to take notes.', ...more });
const ask = (body: object, agent = 'helper') => stage.plane.call(stage.plane.token(agent), 'POST', '/v1/proposals', body);
const idOf = ({ body }: PlaneAnswer): ProposalId => {
  if (!isId('proposal', body.id)) throw new Error(`Not proposed: ${JSON.stringify(body)}`);
  const id: ProposalId = body.id;
  return id;
};
const read = async (id: ProposalId): Promise<PlaneAnswer['body']> => (await stage.plane.call(stage.plane.token('helper'), 'GET', `/v1/proposals/${id}`)).body;
const note = async (text: string): Promise<PlaneAnswer['body']> =>
  (await stage.plane.call(stage.plane.token('helper'), 'POST', '/v1/actions', { session: await stage.plane.openSession('Take notes.'), tool: 'notes', operation: 'write', parameters: { text } })).body;
async function sql(text: string, values: readonly unknown[] = []): Promise<void> {
  const pool = createPool({ url: stage.plane.databaseUrl, max: 1, onIdleError: () => undefined });
  try {
    await pool.query("SET session_replication_role = 'replica'");
    await pool.query(text, [...values]);
  } finally {
    await pool.end();
  }
}

describe('a grant that an agent asks for', () => {
  it('gives nothing until owners sign it; then what needed it runs, and uses it up', async () => {
    expect(await note('a')).toMatchObject({ decision: 'DENY', code: 'grant_needed' });
    const id = idOf(await ask(terms()));
    expect(await read(id)).toMatchObject({ state: 'open', target: 'grant', base: null, proof: { class: 'loosen', applicable: true }, signatures: 0 });
    expect(await note('a')).toMatchObject({ decision: 'DENY', code: 'grant_needed' });

    expect(valueOf(await signedBy(stage.parts, stage.owner, [id])).steps).toMatchObject([{ applied: true, revision: null }]);
    const { grant, state } = await read(id);
    expect(state).toBe('applied');
    expect((await stage.parts.inForce.refresh()).grants).toMatchObject([{ terms: { grant, agent: 'helper', uses: 2 } }]);
    expect(await receiptsOf(stage.parts, 'grant_issued', id)).toMatchObject([{ grant, agent: 'helper' }]);
    for (const text of ['a', 'b']) {
      const { permit } = await note(text);
      expect((await stage.plane.call(stage.plane.token('helper'), 'POST', `/v1/permits/${String(permit.id)}/redeem`)).status).toBe(200);
    }
    expect(await note('a')).toMatchObject({ decision: 'DENY', code: 'grant_needed' });
    expect(await note('c')).toMatchObject({ decision: 'DENY', code: 'grant_needed' });
  });

  it('is a card that owners read in words, and the agent’s reason is not what they sign', async () => {
    const id = idOf(await ask(terms({ uses: 3 })));
    const { live } = await proposalsView(stage.parts);
    expect(live.find((card) => card.id === id)).toMatchObject({ target: 'grant', maker: { kind: 'agent', id: 'helper' }, change: 'loosen', grant: { tool: 'notes', operation: 'write', uses: 3 }, rests_on: 'in_force' });
    const detail = valueOf(await proposalDetail(stage.parts, await viewerById(stage.parts, stage.owner.person), id));
    expect(detail).toMatchObject({ altered: null, may: { sign: true, reject: true, rebase: false }, reason: 'I was told to take notes.' });
    expect(detail.text).not.toContain('told to');
    valueOf(await rejectProposal(stage.parts, { kind: 'person', id: stage.owner.person }, id, 'Use the wiki.'));
    expect(await read(id)).toMatchObject({ state: 'rejected', reason: 'Use the wiki.' });
    expect(codeOf(await signedBy(stage.parts, stage.owner, [id]))).toBe('already_resolved');
  });

  it('is withdrawn by its agent alone, and asked for again is one card', async () => {
    const body = terms({ uses: 4 });
    const id = idOf(await ask(body));
    expect(await ask(body)).toMatchObject({ status: 409, body: { error: { code: 'conflict' } } });
    expect((await stage.plane.call(stage.plane.token('stranger'), 'DELETE', `/v1/proposals/${id}`)).status).toBe(404);
    expect((await stage.plane.call(stage.plane.token('helper'), 'DELETE', `/v1/proposals/${id}`)).body).toMatchObject({ state: 'withdrawn' });
  });

  it('is refused where it could never be given: unknown tools, an unreadable scope, an end that is past, fields that nobody knows', async () => {
    for (const wrong of [{ tool: 'nowhere' }, { scope: { text: { likes: 'x' } } }, { expires_at: '2020-01-01T00:00:00.000Z' }]) {
      expect((await ask(terms(wrong))).body.error).toMatchObject({ code: 'grant_invalid' });
    }
    for (const wrong of [{ agent: 'stranger' }, { uses: 0 }, { base: null }, { target: 'roster' }]) expect((await ask(terms(wrong))).body.error).toMatchObject({ code: 'invalid_input' });
  });

  it('ends as stale, with a receipt, once what it asks for has run out, and cannot be signed', async () => {
    const expires_at = new Date(Date.now() + 3000).toISOString();
    const id = idOf(await ask(terms({ expires_at })));
    await expect.poll(async () => String((await read(id)).state), { timeout: 20_000 }).toBe('stale');
    expect(await receiptsOf(stage.parts, 'policy_rejected', id)).toMatchObject([{ outcome: 'stale', by: { kind: 'service', id: 'plane' } }]);
    expect(codeOf(await signedBy(stage.parts, stage.owner, [id]))).toBe('already_resolved');
    expect((await proposalsView(stage.parts)).ended.find((one) => one.id === id)).toMatchObject({ state: 'stale' });
  }, 60_000);

  it('ends once, of two processes that look at the same moment, and not while its row says something else than its receipts', async () => {
    const expires_at = new Date(Date.now() + 2000).toISOString();
    const id = idOf(await ask(terms({ uses: 9, expires_at })));
    const row = await stage.parts.proposals.find(id);
    await sql('UPDATE "proposals" SET "text" = $2 WHERE "id" = $1', [id, row?.text.replace('"uses":9', '"uses":8')]);
    const [one, other] = [endsRunOut(stage.parts), endsRunOut(stage.parts)];
    await expect.poll(async () => (await stage.parts.authority.position()).now > expires_at, { timeout: 20_000 }).toBe(true);
    await Promise.all([one(), other()]);
    expect(await read(id)).toMatchObject({ state: 'open' });
    await sql('UPDATE "proposals" SET "text" = $2 WHERE "id" = $1', [id, row?.text]);
    await Promise.all([one(), other()]);
    expect(await read(id)).toMatchObject({ state: 'stale' });
    expect(await receiptsOf(stage.parts, 'policy_rejected', id)).toHaveLength(1);
  }, 60_000);

  it('is proposed by a person, too: signed by their own key, a card beside the others, and they do not count where two must sign', async () => {
    const { parts, owner } = stage;
    const person = stage.plane.personOf('approver');
    const key = await enrolled(parts, owner, person);
    const viewer = await viewerById(parts, person);
    const expires_at = new Date(Date.now() + 3_600_000).toISOString();
    const { document } = valueOf(await prepareGrant(parts, { agent: 'helper', tool: 'notes', operation: 'write', scope: { text: 'person' }, uses: 1, expires_at }));
    const asked = { target: 'grant', text: document.text, format: 'json' } as const;
    const { proposal, base, statement } = valueOf(await prepareProposal(parts, viewer, asked));
    if (!isId('proposal', proposal)) throw new Error('No id.');
    const send = async (by: SigningKey) => await makeProposal(parts, viewer, { ...asked, proposal, base, origin: 'console', reason: 'The minutes are due.', envelope: await signText(statement, by) });
    expect(codeOf(await send(generateKey()))).toBe('key_not_enrolled');
    valueOf(await send(key));
    expect((await proposalsView(parts)).live.find(({ id }) => id === proposal)).toMatchObject({ target: 'grant', maker: { kind: 'person', id: person }, change: 'loosen', applicable: true, rests_on: 'in_force' });
    const detail = valueOf(await proposalDetail(parts, await viewerById(parts, owner.person), proposal));
    expect(detail).toMatchObject({ reason: 'The minutes are due.', altered: null, may: { sign: true } });
    expect(detail.not_counted).toHaveLength(1);
    expect(await note('person')).toMatchObject({ decision: 'DENY', code: 'grant_needed' });
    expect(valueOf(await signedBy(parts, owner, [proposal])).steps).toMatchObject([{ applied: true }]);
    await expect.poll(async () => String((await note('person')).decision), { timeout: 10_000 }).toBe('ALLOW');
    expect(await verdictOfLog(parts, stage.plane.provisioned)).toMatchObject({ verdict: 'verified' });
  }, 60_000);
});

describe('an attempt to edit grants with an agent’s credential', () => {
  it('is refused, changes nothing, and what it wanted becomes a proposal for the agent itself', async () => {
    const { status, body } = await stage.plane.call(stage.plane.token('helper'), 'PUT', '/v1/grants', { ...terms({ uses: 50 }), agent: 'stranger', signed: true });
    expect(status).toBe(403);
    expect(body.error).toMatchObject({ code: 'refused_direct_edit', detail: expect.stringContaining('What you wanted is proposal prp_') });
    const [card] = await stage.parts.proposals.list('live', 1);
    if (!card) throw new Error('No proposal.');
    expect(card).toMatchObject({ target: 'grant', maker_id: 'helper' });
    expect((await stage.parts.proposals.find(card.id))?.text).toContain('"agent":"helper"');
    expect(await receiptsOf(stage.parts, 'edit_refused', card.id)).toMatchObject([{ what: 'grants' }]);
    expect(await note('a')).toMatchObject({ decision: 'DENY', code: 'grant_needed' });
  });

  it('is refused all the same where it reads as no grant', async () => {
    for (const body of [{ grants: 'all' }, { tool: 'notes' }, undefined]) {
      const answer = await callPlane(stage.plane.url, stage.plane.token('helper'), 'PUT', '/v1/grants', body);
      expect(answer.body.error).toMatchObject({ code: 'refused_direct_edit', fix: 'Propose it with POST /v1/proposals.' });
    }
  });
});

describe('with rows in an attacker’s hands', () => {
  it('what owners sign is what the receipt of the proposal states', async () => {
    const id = idOf(await ask(terms({ uses: 5 })));
    const row = await stage.parts.proposals.find(id);
    await sql('UPDATE "proposals" SET "text" = $2 WHERE "id" = $1', [id, row?.text.replace('"uses":5', '"uses":5000')]);
    expect(codeOf(await signedBy(stage.parts, stage.owner, [id]))).toBe('proposal_altered');
    await sql('UPDATE "proposals" SET "text" = $2, "target" = \'policy\' WHERE "id" = $1', [id, row?.text]);
    expect(codeOf(await signedBy(stage.parts, stage.owner, [id]))).toBe('proposal_altered');
  });

  it('one signature gives one grant, once: neither a row that is set back nor the document sent again gives more', async () => {
    const id = idOf(await ask(terms({ uses: 6 })));
    valueOf(await signedBy(stage.parts, stage.owner, [id]));
    const { grant } = await read(id);
    const signature = (await stage.parts.proposals.signatures([id]))[0];
    await sql('UPDATE "proposals" SET "state" = \'signed\', "ended_at" = NULL, "ended_by" = NULL, "ended_receipt" = NULL WHERE "id" = $1', [id]);
    await sql('DELETE FROM "grants" WHERE "id" = $1', [grant]);
    expect(codeOf(await applyProposal(stage.parts, { kind: 'person', id: stage.owner.person }, id))).toBe('already_resolved');
    expect(codeOf(await signGrant(stage.parts, stage.owner.person, { envelope: signature?.documents[0] ?? '' }))).toBe('conflict');
    expect(await receiptsOf(stage.parts, 'grant_issued', id)).toHaveLength(1);
  });

  it('a grant that was revoked is not given again by its old envelope', async () => {
    const id = idOf(await ask(terms({ uses: 7 })));
    valueOf(await signedBy(stage.parts, stage.owner, [id]));
    const { grant } = await read(id);
    if (!isId('grant', grant)) throw new Error('No grant.');
    valueOf(await revokeGrant(stage.parts, stage.owner.person, { grant, reason: 'Enough.' }));
    const signature = (await stage.parts.proposals.signatures([id]))[0];
    await sql('DELETE FROM "grants" WHERE "id" = $1', [grant]);
    expect(codeOf(await signGrant(stage.parts, stage.owner.person, { envelope: signature?.documents[0] ?? '' }))).toBe('conflict');
  });

  it('what a suspended agent had asked for is not given, whatever its row says', async () => {
    const { token } = valueOf(await registerAgent(stage.parts, stage.id('admin'), { agent: 'courier', role: 'assistant', scope: [], expires_in_days: 5, explain: false }));
    let made = await callPlane(stage.plane.url, token, 'POST', '/v1/proposals', terms());
    await expect.poll(async () => (made.status === 201 ? made : (made = await callPlane(stage.plane.url, token, 'POST', '/v1/proposals', terms()))).status, { timeout: 10_000 }).toBe(201);
    const id = idOf(made);
    valueOf(await suspendAgent(stage.parts, stage.id('admin'), 'courier'));
    await sql('UPDATE "agents" SET "suspended_at" = NULL');
    expect(codeOf(await signedBy(stage.parts, stage.owner, [id]))).toBe('grant_invalid');
  });
});

it('every receipt of all this reads back, and the whole log verifies offline', async () => {
  expect(await unreadableReceipts(stage.parts)).toEqual([]);
  expect((await verdictOfLog(stage.parts, stage.plane.provisioned)).checks.filter(({ state }) => state === 'fail')).toEqual([]);
});
