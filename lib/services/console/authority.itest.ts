import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { signKeyEnrolment } from '@/lib/authority/key-enrolment';
import type { RosterChange } from '@/lib/contracts/console/roster';
import type { ReceiptKind } from '@/lib/ledger/receipt-predicate';
import { readStatement } from '@/lib/ledger/statement';
import { generateKey, type SigningKey } from '@/lib/server/ed25519';
import { nodeSha256 } from '@/lib/server/node-sha256';
import { envelopeText, parseEnvelope } from '@/lib/shared/dsse';
import { digestOf, utf8 } from '@/lib/shared/encoding';
import { isId, type PersonId } from '@/lib/shared/ids';
import { createPool } from '@/lib/db/pool';
import { changeRoster, codeOf, countersign, listed, signText, testConsole, unreadableReceipts, valueOf, viewerById } from '@/lib/testing/console-fixture';
import { startTestPlane, type TestPlane } from '@/lib/testing/plane-fixture';
import { planePolicy } from '@/lib/testing/plane-policy';

import { applySignedRevision } from '@/lib/services/proposals/apply-signed-revision';
import { completeRosterChange } from './complete-roster-change';
import type { ConsoleParts } from './console-parts';
import { enrolKey } from './enrol-key';
import { invitePerson } from './invite-person';
import { mintCredential } from './mint-credential';
import { preparePolicy } from './prepare-policy';
import { prepareRosterChange } from './prepare-roster-change';
import { refuseEnrolment } from './refuse-enrolment';
import { registerAgent } from './register-agent';
import { revokeCredential } from './revoke-credential';
import { suspendAgent } from './suspend-agent';
import { throwSwitch } from './throw-switch';
import { policiesView } from './views/policies-view';

let plane: TestPlane;
let parts: ConsoleParts;
let close: () => Promise<void>;
let owner: { readonly person: PersonId; readonly key: SigningKey };

const rosterNow = async () => (await parts.inForce.refresh()).roster?.roster;
const keysOf = async (person: PersonId) => (await rosterNow())?.people.find((one) => one.id === person)?.keys ?? [];

const newestOf = async (kind: ReceiptKind) => {
  const [row] = (await parts.log.search({ kind }, { limit: 1 })).rows;
  const read = parseEnvelope(row?.envelope ?? '');
  return read.ok ? valueOf(readStatement(nodeSha256, read.value)).predicate : undefined;
};

const enrolment = async (person: PersonId, key: SigningKey, signer = key) =>
  envelopeText(await signKeyEnrolment({ workspace: parts.workspace, person, key: listed(key), at: new Date().toISOString() }, [signer.signer]));

beforeAll(async () => {
  plane = await startTestPlane(planePolicy);
  ({ parts, close } = await testConsole(plane));
  owner = { person: plane.personOf('owner'), key: plane.owner };
});
afterAll(async () => {
  await close();
  await plane.stop();
});

describe('a key', () => {
  it('waits until an owner countersigns it, and counts from then on', async () => {
    const key = generateKey();
    const outcome = valueOf(await enrolKey(parts, await viewerById(parts, plane.personOf('approver')), { envelope: await enrolment(plane.personOf('approver'), key) }));
    expect(outcome).toEqual({ key: key.id, state: 'waiting' });
    expect(await keysOf(plane.personOf('approver'))).toEqual([]);
    await changeRoster(parts, owner, { kind: 'enrol_key', enrolment: key.id });
    expect(await keysOf(plane.personOf('approver'))).toEqual([listed(key)]);
    expect((await parts.log.search({ kind: 'key_enrolled', person: plane.personOf('approver') }, { limit: 2 })).rows).toHaveLength(1);
  });

  it('that is taken out counts no longer, and a receipt says from which roster on', async () => {
    const key = generateKey();
    valueOf(await enrolKey(parts, await viewerById(parts, plane.personOf('approver')), { envelope: await enrolment(plane.personOf('approver'), key) }));
    await changeRoster(parts, owner, { kind: 'enrol_key', enrolment: key.id });
    await changeRoster(parts, owner, { kind: 'remove_key', person: plane.personOf('approver'), key: digestOf(nodeSha256, key.publicKey) });
    expect((await keysOf(plane.personOf('approver'))).map((one) => one.id)).not.toContain(key.id);
    expect(await newestOf('key_removed')).toMatchObject({
      person: plane.personOf('approver'), key: key.id, cause: 'not_stated', roster_version: (await rosterNow())?.version, by: { kind: 'person', id: owner.person },
    });
  });

  it('is enrolled by nobody for somebody else', async () => {
    const envelope = await enrolment(plane.personOf('approver'), generateKey());
    expect(codeOf(await enrolKey(parts, await viewerById(parts, plane.personOf('second')), { envelope }))).toBe('forbidden');
  });

  it('is refused when it has not signed for itself, is an owner’s, or was refused before', async () => {
    const viewer = await viewerById(parts, plane.personOf('second'));
    expect(codeOf(await enrolKey(parts, viewer, { envelope: await enrolment(plane.personOf('second'), generateKey(), generateKey()) }))).toBe('signature_invalid');
    expect(codeOf(await enrolKey(parts, viewer, { envelope: await enrolment(plane.personOf('second'), owner.key) }))).toBe('conflict');
    const key = generateKey();
    valueOf(await enrolKey(parts, viewer, { envelope: await enrolment(plane.personOf('second'), key) }));
    valueOf(await refuseEnrolment(parts, key.id));
    expect(codeOf(await enrolKey(parts, viewer, { envelope: await enrolment(plane.personOf('second'), key) }))).toBe('conflict');
  });

  it('enters with no roster that only its own person, or nobody, has signed', async () => {
    const key = generateKey();
    const viewer = await viewerById(parts, plane.personOf('requester'));
    valueOf(await enrolKey(parts, viewer, { envelope: await enrolment(plane.personOf('requester'), key) }));
    const change = { kind: 'enrol_key', enrolment: key.id } as const;
    const prepared = valueOf(await prepareRosterChange(parts, change));
    const countersigned = await countersign(prepared.enrolment_envelope ?? '', owner.key);
    expect(codeOf(await completeRosterChange(parts, viewer.person, { change, roster: await signText(prepared.roster, key), countersigned }))).toBe('roster_invalid');
    const roster = await signText(prepared.roster, owner.key);
    expect(codeOf(await completeRosterChange(parts, owner.person, { change, roster, countersigned: prepared.enrolment_envelope ?? '' }))).toBe('forbidden');
    expect(codeOf(await completeRosterChange(parts, owner.person, { change, roster }))).toBe('signature_invalid');
    expect(await keysOf(plane.personOf('requester'))).toEqual([]);
  });

  it('is countersigned at once by a demo’s key file, also for two people at once', async () => {
    const demo = { ...parts, demoOwner: { key: listed(owner.key, 'file-ed25519'), signer: owner.key.signer } };
    const [one, other] = [generateKey(), generateKey()];
    const [admin, second] = [await viewerById(parts, plane.personOf('admin')), await viewerById(parts, plane.personOf('second'))];
    const outcomes = await Promise.all([
      enrolKey(demo, admin, { envelope: await enrolment(admin.person, one) }),
      enrolKey(demo, second, { envelope: await enrolment(second.person, other) }),
    ]);
    expect(outcomes.map((outcome) => (outcome.ok ? outcome.value.state : outcome.error.code))).toEqual(['enrolled', 'enrolled']);
    expect(await keysOf(admin.person)).toEqual([listed(one)]);
    expect(await keysOf(second.person)).toEqual([listed(other)]);
  });
});

describe('a roster', () => {
  it('carries exactly the change that it was signed for', async () => {
    const change: RosterChange = { kind: 'set_person', person: plane.personOf('requester'), roles: ['requester'], groups: [] };
    const other: RosterChange = { kind: 'set_person', person: plane.personOf('requester'), roles: ['requester', 'owner'], groups: ['approver'] };
    const roster = await signText(valueOf(await prepareRosterChange(parts, other)).roster, owner.key);
    expect(codeOf(await completeRosterChange(parts, owner.person, { change, roster }))).toBe('roster_invalid');
  });

  it('is not replayed: the same signature counts once', async () => {
    const change: RosterChange = { kind: 'set_person', person: plane.personOf('requester'), roles: ['requester'], groups: ['guests'] };
    const roster = await signText(valueOf(await prepareRosterChange(parts, change)).roster, owner.key);
    valueOf(await completeRosterChange(parts, owner.person, { change, roster }));
    expect(codeOf(await completeRosterChange(parts, owner.person, { change, roster }))).toBe('roster_invalid');
  });

  it('that gives a person other roles or groups has a receipt about the person beside its own', async () => {
    await changeRoster(parts, owner, { kind: 'set_person', person: plane.personOf('requester'), roles: ['requester'], groups: ['visitors'] });
    expect(await newestOf('user_administered')).toMatchObject({ person: plane.personOf('requester'), change: 'roles_changed', roster_version: (await rosterNow())?.version, by: { kind: 'person', id: owner.person } });
  });

  it('raises the epoch, so that what was decided before is decided again', async () => {
    const before = (await parts.authority.position()).epoch;
    await changeRoster(parts, owner, { kind: 'set_person', person: plane.personOf('requester'), roles: ['requester'], groups: [] });
    expect((await parts.authority.position()).epoch).toBe(before + 1n);
  });

  it('gives an invited person their roles; the invitation alone gives none', async () => {
    const { person } = valueOf(await invitePerson(parts, plane.personOf('admin'), { email: 'nora@harbor.example', name: 'Nora New' }));
    expect((await viewerById(parts, person)).permissions).toEqual([]);
    await changeRoster(parts, owner, { kind: 'add_person', person, roles: ['auditor'], groups: [] });
    expect((await viewerById(parts, person)).roles).toEqual(['auditor']);
    expect(codeOf(await invitePerson(parts, plane.personOf('admin'), { email: 'nora@harbor.example', name: 'Again' }))).toBe('conflict');
  });

  it('makes a vouching token count, which opened nothing before', async () => {
    const minted = valueOf(await mintCredential(parts, { credential_kind: 'orchestrator', subject: 'help-line', scope: { humans: ['requester@harbor.example'] }, expires_in_days: 30 }));
    const open = () => plane.call(minted.token, 'POST', '/v1/sessions', { human: 'requester@harbor.example', request: 'Hello', agent: 'helper' });
    expect((await open()).status).toBe(401);
    await changeRoster(parts, owner, minted.change);
    await expect.poll(async () => (await open()).status, { timeout: 10_000 }).toBe(201);
    if (minted.change.kind !== 'add_credential') throw new Error('Another change.');
    await changeRoster(parts, owner, { kind: 'remove_credential', credential: minted.change.credential });
    await expect.poll(async () => (await open()).status, { timeout: 10_000 }).toBe(401);
  });
});

describe('a policy', () => {
  const text = `${planePolicy}  - id: one-more\n    match: { tool: notes, operation: read }\n    action: DENY\n    reason: "Not these."\n`;
  const changed = planePolicy.replace('"Mail is allowed."', '"Mail may go out."');
  const by = () => ({ kind: 'person', id: owner.person }) as const;

  it('comes into force by owners’ signatures on its text and its place, and no other way', async () => {
    const prepared = valueOf(await preparePolicy(parts, { text: changed, format: 'yaml' }));
    const input = {
      text: changed, format: 'yaml', origin: 'console',
      signature: await signText(prepared.policy, owner.key), statement: await signText(prepared.policy_revision, owner.key),
    } as const;
    const stranger = generateKey();
    expect(codeOf(await applySignedRevision(parts, by(), { ...input, signature: await signText(prepared.policy, stranger) }))).toBe('policy_signer_unknown');
    expect(codeOf(await applySignedRevision(parts, by(), { ...input, statement: await signText(prepared.policy_revision, stranger) }))).toBe('policy_signer_unknown');
    expect(codeOf(await applySignedRevision(parts, by(), { ...input, text: `${changed} ` }))).toBe('policy_altered');
    expect(codeOf(await applySignedRevision(parts, by(), { ...input, signature: 'none' }))).toBe('policy_signature_missing');
    expect(valueOf(await applySignedRevision(parts, by(), input)).revision).toBe(2);
    expect((await parts.inForce.current()).policy).toMatchObject({ revision: 2, text: changed });
    expect(codeOf(await applySignedRevision(parts, by(), input))).toBe('policy_not_newer');
  });

  it('that does not parse is refused with its places, and not stored', async () => {
    const broken = changed.replace('action: DENY', 'action: DENNY');
    const prepared = await preparePolicy(parts, { text: broken, format: 'yaml' });
    expect(codeOf(prepared)).toBe('policy_invalid');
    expect(prepared.ok ? [] : prepared.error.issues?.map(({ line }) => typeof line)).toContain('number');
  });

  it('signed on top of a text that is no longer in force is refused', async () => {
    const late = valueOf(await preparePolicy(parts, { text: planePolicy, format: 'yaml' }));
    const soon = valueOf(await preparePolicy(parts, { text, format: 'yaml' })).policy_revision;
    expect(soon.text).toContain('"revision":3');
    const fresh = changed.replace('Mail may go out.', 'Mail goes out.');
    const next = valueOf(await preparePolicy(parts, { text: fresh, format: 'yaml' }));
    valueOf(await applySignedRevision(parts, by(), { text: fresh, format: 'yaml', origin: 'console', signature: await signText(next.policy, owner.key), statement: await signText(next.policy_revision, owner.key) }));
    const input = { text: planePolicy, format: 'yaml', origin: 'console', signature: await signText(late.policy, owner.key), statement: await signText(late.policy_revision, owner.key) } as const;
    expect(codeOf(await applySignedRevision(parts, by(), input))).toBe('policy_not_newer');
  });

  it('whose row was altered is never used: the last good one goes on, and the page says which and why', async () => {
    const good = (await parts.inForce.refresh()).policy;
    if (!good) throw new Error('Nothing is in force.');
    const row = (await parts.authority.policies(1))[0];
    if (!row) throw new Error('No row.');
    await parts.transactor.withHead((tx) =>
      parts.authority.addPolicy(tx, { ...row, revision: row.revision + 1, text: row.text.replace('decision: DENY', 'decision: ALLOW'), digest: digestOf(parts.cryptography.sha256, utf8('x')) }),
    );
    const inForce = await parts.inForce.refresh();
    expect(inForce.policy).toMatchObject({ revision: good.revision, digest: good.digest });
    expect(inForce.refusal?.code).toBe('policy_altered');
    const view = await policiesView(parts);
    expect(view.revisions[0]).toMatchObject({ revision: row.revision + 1, in_force: false, verification: { state: 'refused', code: 'policy_altered' }, signers: [] });
    expect(view.in_force?.revision).toBe(good.revision);
  });
});

describe('stopping', () => {
  it('an agent’s credential, or the agent, works at once and needs no signature', async () => {
    const made = valueOf(await registerAgent(parts, plane.personOf('admin'), { agent: 'courier', role: 'assistant', scope: [], expires_in_days: 5, explain: false }));
    const session = await plane.openSession('Please take a note.', 'courier');
    const propose = async (token: string): Promise<{ readonly status: number; readonly body: { readonly state?: string } }> =>
      await plane.call(token, 'POST', '/v1/actions', { session, tool: 'notes', operation: 'write', parameters: { text: 'x' } });
    await expect.poll(async () => (await propose(made.token)).body.state, { timeout: 10_000 }).toBe('permitted');
    if (!isId('credential', made.credential)) throw new Error('No id.');
    valueOf(await revokeCredential(parts, plane.personOf('admin'), made.credential));
    await expect.poll(async () => (await propose(made.token)).status, { timeout: 10_000 }).toBe(401);
    const again = valueOf(await registerAgent(parts, plane.personOf('admin'), { agent: 'courier', role: 'assistant', scope: [], expires_in_days: 5, explain: false }));
    valueOf(await suspendAgent(parts, plane.personOf('admin'), 'courier'));
    await expect.poll(async () => (await propose(again.token)).status, { timeout: 10_000 }).toBe(401);
    expect(codeOf(await registerAgent(parts, plane.personOf('admin'), { agent: 'courier', role: 'assistant', scope: [], expires_in_days: 5, explain: false }))).toBe('conflict');
  });

  it('a suspended agent stays suspended for every process, whatever its row says', async () => {
    const pool = createPool({ url: plane.databaseUrl, max: 1, onIdleError: () => undefined });
    await pool.query(`UPDATE "agents" SET "suspended_at" = NULL WHERE "id" = 'courier'`);
    await pool.query(`UPDATE "credentials" SET "revoked_at" = NULL WHERE "subject" = 'courier'`);
    await pool.end();
    const another = await testConsole(plane);
    const seen = [await parts.inForce.refresh(), await another.parts.inForce.refresh()].map(({ agents }) => agents.get('courier')?.suspended_at ?? null);
    expect(codeOf(await registerAgent(another.parts, plane.personOf('admin'), { agent: 'courier', role: 'assistant', scope: [], expires_in_days: 5, explain: false }))).toBe('conflict');
    await another.close();
    expect(seen[0]).not.toBeNull();
    expect(seen[1]).toBe(seen[0]);
    expect(await newestOf('credential_administered')).toMatchObject({ subject: 'courier', change: 'suspended' });
  });

  it('everything by the kill switch denies what comes next', async () => {
    const session = await plane.openSession('Please take a note.');
    const propose = () => plane.call(plane.token('helper'), 'POST', '/v1/actions', { session, tool: 'notes', operation: 'write', parameters: { text: 'x' } });
    expect((await propose()).body.state).toBe('permitted');
    valueOf(await throwSwitch(parts, plane.personOf('admin'), { scope: 'all', subject: '', reason: 'Something is wrong.' }));
    const { body } = await propose();
    expect(body).toMatchObject({ state: 'denied', code: 'kill_switch' });
    expect(codeOf(await throwSwitch(parts, plane.personOf('admin'), { scope: 'all', subject: '', reason: 'Again.' }))).toBe('conflict');
  });
});

describe('every receipt that was written', () => {
  it('can be read back', async () => {
    expect((await parts.log.head()).size).toBeGreaterThan(20n);
    expect(await unreadableReceipts(parts)).toEqual([]);
  });
});
