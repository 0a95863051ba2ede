import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { parseSuppliedFact } from '@/lib/approvals/parse-supplied-fact';
import type { SuppliedFact } from '@/lib/approvals/supplied-fact';
import { entryHash } from '@/lib/context/entry-hash';
import type { ContextEntry } from '@/lib/context/entry';
import { fsck } from '@/lib/db/fsck';
import { createPool } from '@/lib/db/pool';
import { stockCatalogue } from '@/lib/mediate/stock';
import { exportBundle } from '@/lib/services/export-bundle';
import { canonicalJson } from '@/lib/shared/canonical-json';
import { envelopePayload, parseEnvelope } from '@/lib/shared/dsse';
import { digestOf } from '@/lib/shared/encoding';
import type { DeferralId, Digest } from '@/lib/shared/ids';
import type { Json } from '@/lib/shared/json';
import { startApprovalStage, type ApprovalStage, type Voter } from '@/lib/testing/approval-stage';
import { changeRoster, codeOf, unreadableReceipts, valueOf } from '@/lib/testing/console-fixture';
import { nodeSha256 as sha256, nodeVerifySignature as verifySignature } from '@/lib/testing/node-crypto';
import { callPlane, type PlaneAnswer } from '@/lib/testing/plane-fixture';
import { planePolicy } from '@/lib/testing/plane-policy';
import { sessionId, signedFact } from '@/lib/testing/signed-statements';
import { rederiveWith } from '@/lib/verify/rederive-decision';
import { verifyBundle } from '@/lib/verify/verify-bundle';

import { supplyFact } from './supply-fact';
import { suspendPerson } from './suspend-person';
import { visibleEvent } from './visible-event';
import { deferralsView } from './views/deferrals-view';

const policy = `${planePolicy.replace('information: {', `limits: { new_per_minute: 1000 }
information: {
  licence: { from: [group:data-owner], type: string }, purpose: { from: [requester] }, seats: { from: [requester, group:approver], type: number },
  `)}
  - id: downloads-wait
    match: { tool: browser, operation: download }
    action: DEFER
    context_needed: [licence]
    reason: "Somebody who knows says under which licence it is."
  - id: closed-licences
    match: { tool: browser, operation: download }
    context: { attributes: { licence: { eq: closed } } }
    action: DENY
    reason: "What is closed is not downloaded."
  - id: downloads
    match: { tool: browser, operation: download }
    action: ALLOW
    reason: "Downloading is allowed."
  - id: deletions-wait
    match: { tool: calendar, operation: delete }
    action: DEFER
    context_needed: [purpose, seats]
    reason: "The person it is for says what it is good for."
  - id: deletions
    match: { tool: calendar, operation: delete }
    action: ALLOW
    reason: "Entries may be deleted."
`;

let stage: ApprovalStage;
beforeAll(async () => {
  stage = await startApprovalStage(policy);
}, 60_000);
afterAll(() => stage.stop());

type Waiting = Pick<SuppliedFact, 'session' | 'deferral' | 'subject' | 'name' | 'source'> & { readonly action: string };
const helper = () => stage.plane.token('helper');
const read = async (id: string, wait = ''): Promise<PlaneAnswer['body']> => (await stage.plane.call(helper(), 'GET', `/v1/actions/${id}${wait}`)).body;

async function waiting(tool: string, parameters: object): Promise<{ readonly action: string; readonly session: Waiting['session']; readonly deferral: DeferralId }> {
  const session = sessionId(await stage.plane.openSession('Fetch the prices and tidy the calendar.'));
  const [name, operation] = tool.split('.');
  const { body } = await stage.plane.call(helper(), 'POST', '/v1/actions', { session, tool: name, operation, parameters });
  if (body.state !== 'deferred') throw new Error(`Not deferred: ${JSON.stringify(body)} ${stage.plane.log.join(' ').slice(0, 1500)}`);
  const row = await stage.parts.approvals.deferralOf(body.id);
  if (!row) throw new Error('No deferral.');
  return { action: body.id, session, deferral: row.id };
}
async function download(): Promise<Waiting> {
  const { action, session, deferral } = await waiting('browser.download', { url: 'https://example.com/prices', path: '/srv/prices' });
  const { items } = await deferralsView(stage.parts, await stage.viewer('owner'));
  const subject = items.find(({ id }) => id === deferral)?.missing.find(({ attribute }) => attribute === 'licence')?.subject;
  if (subject === null || subject === undefined) throw new Error('It names nothing.');
  return { action, session, deferral, subject, name: 'licence', source: 'group:data-owner' };
}
const deletion = async (name = 'purpose'): Promise<Waiting> => ({ ...(await waiting('calendar.delete', { id: 'standup' })), subject: 'calendar:standup', name, source: 'requester' });

async function supply(who: Voter, { action: _action, ...wanted }: Waiting, value: Json, changes: Partial<SuppliedFact> = {}, signer: Voter = who) {
  return await supplyFact(stage.parts, await stage.viewer(who), await signedFact({ person: stage.id(signer), key: stage.keys[signer] }, wanted, value, changes));
}
const size = async () => (await stage.parts.log.head()).size;

describe('a fact that a person supplies', () => {
  it('has the action decided again, whoever of the listed group says it', async () => {
    const wanted = await download();
    valueOf(await supply('approver', wanted, 'open'));
    expect(await read(wanted.action, '?wait=10')).toMatchObject({ decision: 'ALLOW', state: 'permitted' });
    const entry = (await stage.parts.sessions.entries(wanted.session, 0)).map((one) => one.entry).find(({ kind }) => kind === 'attribute');
    expect(entry).toMatchObject({ name: 'licence', value: 'open', source: 'group:data-owner', person: stage.id('approver'), statement: expect.stringMatching(/^[0-9a-f]{64}$/) });
  });

  it('may be what denies it', async () => {
    const wanted = await download();
    valueOf(await supply('second', wanted, 'closed'));
    expect(await read(wanted.action, '?wait=10')).toMatchObject({ decision: 'DENY', state: 'denied' });
  });

  it('may be that there is none', async () => {
    const wanted = await download();
    valueOf(await supply('approver', wanted, null));
    expect(await read(wanted.action, '?wait=10')).not.toMatchObject({ state: 'deferred' });
  });

  it('is the requester’s own word where the policy asks them, and one of two leaves the other missing', async () => {
    const wanted = await deletion();
    valueOf(await supply('requester', wanted, 'It was moved to Friday.'));
    expect(await read(wanted.action, '?wait=10')).toMatchObject({ state: 'deferred', deferral: { missing: [{ field: 'attributes.seats', suppliers: ['requester', 'group:approver'] }] } });
    valueOf(await supply('requester', { ...wanted, name: 'seats' }, 12));
    expect(await read(wanted.action, '?wait=10')).toMatchObject({ decision: 'ALLOW' });
  });

  it('is offered to those who may say it, with the type that is asked for, and to nobody else', async () => {
    const wanted = await deletion();
    const seenBy = async (who: string) => {
      const { items } = await deferralsView(stage.parts, await stage.viewer(who));
      return items.find(({ id }) => id === wanted.deferral)?.missing.map(({ attribute, answer_as, type }) => [attribute, answer_as, type]);
    };
    expect(await seenBy('requester')).toEqual([['purpose', 'requester', null], ['seats', 'requester', 'number']]);
    expect(await seenBy('approver')).toEqual([['purpose', null, null], ['seats', 'group:approver', 'number']]);
    expect(await seenBy('owner')).toEqual([['purpose', null, null], ['seats', null, 'number']]);
    expect(await visibleEvent(stage.parts.reads, await stage.viewer('approver'), { kind: 'action_changed', id: wanted.action })).toEqual({ kind: 'action_changed', id: wanted.action });
    // Registered the agent: separation of duties.
    expect(await seenBy('admin')).toEqual([['purpose', null, null], ['seats', null, 'number']]);
  });
});

describe('a fact is refused, and leaves nothing behind,', () => {
  type Try = (wanted: Waiting) => ReturnType<typeof supply>;
  const refused: readonly [string, string, () => Promise<Waiting>, Try][] = [
    ['from somebody of another group', 'forbidden', async () => ({ ...(await deletion('seats')), source: 'group:data-owner' }), (wanted) => supply('approver', wanted, 1)],
    ['from somebody who does not belong to the group they speak for', 'not_found', download, (wanted) => supply('admin', wanted, 'open')],
    ['from the person it is for, in the name of a group', 'separation_of_duties', async () => ({ ...(await deletion('seats')), source: 'group:approver' }), (wanted) => supply('requester', wanted, 1)],
    ['from whoever registered the agent', 'separation_of_duties', async () => ({ ...(await deletion('seats')), source: 'group:approver' }), (wanted) => supply('admin', wanted, 1)],
    ['as requester, from somebody else', 'forbidden', () => deletion('seats'), (wanted) => supply('approver', wanted, 1)],
    ['that another person signed', 'forbidden', download, (wanted) => supply('approver', wanted, 'open', {}, 'second')],
    ['signed by another key than it names', 'signature_invalid', download, (wanted) => supply('approver', wanted, 'open', { signer: { person: stage.id('approver'), key: stage.keys.approver.id, key_kind: 'browser-ed25519' } }, 'second')],
    ['of another type than is asked for', 'invalid_input', () => deletion('seats'), (wanted) => supply('requester', wanted, 'twelve')],
    ['that is no value a person types', 'invalid_input', () => deletion(), (wanted) => supply('requester', wanted, { owner: 'me' })],
    ['that nobody asked for', 'conflict', () => deletion(), (wanted) => supply('requester', { ...wanted, subject: 'calendar:other' }, 'x')],
    ['that the policy lists nobody for', 'forbidden', () => deletion(), (wanted) => supply('requester', { ...wanted, name: 'owner' }, 'x')],
    ['that answers another question', 'conflict', () => deletion(), async (wanted) => supply('requester', wanted, 'x', { deferral: (await deletion()).deferral })],
    ['for another session', 'conflict', () => deletion(), async (wanted) => supply('requester', wanted, 'x', { session: (await deletion()).session })],
    ['that was signed long ago', 'conflict', () => deletion(), (wanted) => supply('requester', wanted, 'x', { signed_at: '2026-01-01T00:00:00.000Z' })],
  ];

  it.each(refused)('%s: %s', async (_name, code, begin, attempt) => {
    const wanted = await begin();
    const before = (await stage.parts.sessions.entries(wanted.session, 0)).length;
    expect(codeOf(await attempt(wanted))).toBe(code);
    expect(await stage.parts.sessions.entries(wanted.session, 0)).toHaveLength(before);
    expect(await read(wanted.action)).toMatchObject({ state: 'deferred' });
  });

  it('whose value is not the one that was signed', async () => {
    const { action: _action, ...wanted } = await download();
    const signed = await signedFact({ person: stage.id('approver'), key: stage.keys.approver }, wanted, 'closed');
    const viewer = await stage.viewer('approver');
    const before = await size();
    for (const content of [{ salt: signed.content?.salt ?? '', value: 'open' }, { salt: 'AAAA', value: 'closed' }, null]) {
      expect(codeOf(await supplyFact(stage.parts, viewer, { ...signed, content }))).toBe('invalid_input');
    }
    expect(await size()).toBe(before);
  });

  it('when it was used before, while another fact is still missing', async () => {
    const { action: _action, ...wanted } = await deletion();
    const signed = await signedFact({ person: stage.id('requester'), key: stage.keys.requester }, wanted, 'It was moved.');
    const viewer = await stage.viewer('requester');
    const codes = await Promise.all([signed, signed].map(async (one) => codeOf(await supplyFact(stage.parts, viewer, one))));
    expect(codes.sort()).toEqual(['conflict', 'ok']);
    expect(codeOf(await supplyFact(stage.parts, viewer, signed))).toBe('conflict');
  });

  it('once nobody waits for it any more', async () => {
    const wanted = await download();
    await stage.plane.call(helper(), 'DELETE', `/v1/actions/${wanted.action}`);
    expect(codeOf(await supply('approver', wanted, 'open'))).toBe('not_found');
  });

  it('from the agent: neither its credential nor its own context call speaks for a person', async () => {
    const wanted = await download();
    for (const who of ['helper', 'desk', 'records']) {
      const answer = await stage.plane.call(stage.plane.token(who), 'POST', `/v1/sessions/${wanted.session}/context`, { attributes: [{ subject: wanted.subject, name: 'licence', value: 'open' }] });
      expect(answer.status).toBe(403);
    }
    expect(await read(wanted.action)).toMatchObject({ state: 'deferred' });
  });

  it('from somebody who left the group or was suspended meanwhile', async () => {
    const wanted = await download();
    const { action: _action, ...asked } = wanted;
    const viewer = await stage.viewer('second');
    const signed = await signedFact({ person: stage.id('second'), key: stage.keys.second }, asked, 'open');
    await changeRoster(stage.parts, stage.owner, { kind: 'set_person', person: stage.id('second'), roles: ['approver'], groups: ['approver'] });
    expect(codeOf(await supplyFact(stage.parts, viewer, signed))).toBe('forbidden');
    await changeRoster(stage.parts, stage.owner, { kind: 'set_person', person: stage.id('second'), roles: ['approver'], groups: ['approver', 'data-owner'] });
    valueOf(await suspendPerson(stage.parts, stage.id('owner'), stage.id('second')));
    expect(codeOf(await supplyFact(stage.parts, viewer, signed))).toBe('forbidden');
    expect(await read(wanted.action)).toMatchObject({ state: 'deferred' });
  });
});

async function verified() {
  const { plane, parts } = stage;
  // A bundle goes as far as the newest checkpoint, which the plane signs within a second.
  const { size: all } = await parts.log.head();
  await expect.poll(async () => (await parts.log.latestCheckpoint())?.size ?? 0n, { timeout: 10_000 }).toBeGreaterThanOrEqual(all);
  const bundle = await exportBundle({ ...plane.stores, workspace: plane.workspace, sha256, signer: parts.signer, productVersion: 'test' }, { withhold: false, now: new Date().toISOString() });
  return await verifyBundle(valueOf(bundle).bytes, { sha256, verifySignature, root: plane.provisioned.fingerprint, rederive: rederiveWith(sha256, stockCatalogue(sha256)) });
}

it('what the log says of all this can be read back, is what the rows say, and is verified and decided the same way again', async () => {
  expect(await unreadableReceipts(stage.parts)).toEqual([]);
  const pool = createPool({ url: stage.plane.databaseUrl, max: 1, onIdleError: () => undefined });
  expect(await fsck(pool, stage.plane.workspace)).toMatchObject({ ok: true });
  await pool.end();
  const report = await verified();
  expect(report.checks.filter(({ state }) => state === 'fail')).toEqual([]);
  expect(report.checks.find(({ id }) => id === 'statements')?.detail).toMatch(/Facts of people: [1-9]/);
  expect(report.rederived.notes).toEqual([]);
});

describe('a fact that its person never signed loosens nothing:', () => {
  const forge = async (wanted: Waiting, change: { readonly value?: string; readonly digest?: Digest; readonly unsigned?: true }) => {
    const { action: _action, ...asked } = wanted;
    const signed = await signedFact({ person: stage.id('approver'), key: stage.keys.approver }, asked, 'closed');
    const envelope = valueOf(parseEnvelope(signed.envelope));
    const digest = digestOf(sha256, envelopePayload(envelope) ?? new Uint8Array());
    const { parts } = stage;
    const row = (await parts.sessions.find([wanted.session])).get(wanted.session);
    if (!row || !signed.content) throw new Error('No session.');
    const at = new Date().toISOString();
    const entry: ContextEntry = {
      kind: 'attribute', at, subject: wanted.subject, name: wanted.name, value: change.value ?? 'open', unavailable: false, source: wanted.source, observed_at: at,
      ...(change.unsigned ? {} : { person: stage.id('approver'), statement: change.digest ?? digest }),
    };
    const seq = row.seq + 1;
    const hash = entryHash(sha256, row.head, entry, seq);
    const fact = valueOf(parseSuppliedFact(envelopePayload(envelope) ?? new Uint8Array()));
    await parts.transactor.withHead(async (tx) => {
      await parts.content.add(tx, [{ digest: fact.value_digest ?? ('0'.repeat(64) as Digest), salt: signed.content?.salt ?? '', body: canonicalJson('closed') }]);
      const body = {
        session: row.id, attributes: [{ subject: wanted.subject, name: wanted.name, source: wanted.source, observed_at: at, value_digest: fact.value_digest }], by: { kind: 'person', id: stage.id('approver') },
        ...(change.unsigned ? {} : { statement: { digest, envelope, key: { id: stage.keys.approver.id, kind: 'browser-ed25519' as const } } }), context_head: hash, context_seq: seq,
      } as const;
      await parts.ledger.append(tx, [await parts.sign('attributes_supplied', at, body, { session: row.id, agent: row.agent })]);
      await parts.sessions.addEntries(tx, [{ session: row.id, seq, hash, entry }]);
      await parts.sessions.moveHeads(tx, [{ session: row.id, from: row.head, to: hash, seq, at }]);
    });
  };

  it.each([
    ['with another value than was signed', { value: 'open' }],
    ['that names another statement', { value: 'closed', digest: 'c'.repeat(64) as Digest }],
    ['without a signature', { unsigned: true } as const],
  ])('one %s, although the console’s own key states it', async (_name, change) => {
    const wanted = await download();
    await forge(wanted, change);
    const other = await stage.plane.another();
    try {
      const answer = await callPlane(other.url, helper(), 'POST', '/v1/actions', { session: wanted.session, tool: 'notes', operation: 'write', parameters: { text: 'x' } });
      expect(answer.status).toBe(503);
    } finally {
      await other.stop();
    }
  });

  it('and a verifier finds the one that is not signed', async () => {
    expect((await verified()).checks.find(({ id }) => id === 'statements')).toMatchObject({ state: 'fail', detail: expect.stringContaining('without that person’s signature') });
  });
});
