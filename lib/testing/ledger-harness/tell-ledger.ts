import { signStatement } from '@/lib/authority/owner-statements';
import { parseTrustRoot } from '@/lib/authority/parse-trust-root';
import { signTrustRoot, trustRootDigest } from '@/lib/authority/sign-documents';
import { contentItem } from '@/lib/ledger/content';
import { later } from '@/lib/services/later';
import { envelopePayload } from '@/lib/shared/dsse';
import { digestOf, utf8 } from '@/lib/shared/encoding';
import { keyId, type WorkspaceId } from '@/lib/shared/ids';

import { nodeSha256 as sha256 } from '../node-crypto';
import { toldPolicy } from './told-policy';
import { approve, askAnew, askBack, deny, edit, escalateAndExtend, giveStanding, hold, permit, resolve } from './approvals-told';
import { castOf, nextRoster, recoveredRoot } from './cast';
import { allow, count, gate, redeem, report } from './executions-told';
import { applyToAllowlist, issueGrant, propose, proveAndSign } from './proposals-told';
import { addMessage, answer, desk, lower, openAndCloseChild, openSession, reply, supply } from './sessions-told';
import { owns, tellChangeOver, tellSetUp } from './set-up-told';
import { Teller, type ToldLedger } from './teller';
import { agent, type ToldSession } from './told-session';

/**
 * A log in which everything happens that receipts tell of: each kind at least once, in two sessions of people with two keys and more,
 * three policy revisions, two rosters, two trust roots, two keys of the plane. The same seed tells the same log, byte by byte.
 */
export async function tellLedger(seed: string, workspace: WorkspaceId): Promise<ToldLedger> {
  const teller = new Teller(castOf(seed, workspace));
  await tellSetUp(teller);
  const session = openSession(teller, 'session opened', 'Write the report, take notes, and clean up the test data.');
  await tellExecutions(session);
  await tellApprovals(session);
  await tellDeferrals(session);
  await tellPolicies(teller);
  await tellGrant(session);
  await tellSwitch(session);
  await tellSuspension(teller);
  await tellChangeOver(teller);
  await tellRecovery(teller);
  await tellLateWork(teller, session);
  return teller.told;
}

async function tellExecutions(session: ToldSession): Promise<void> {
  const { teller } = session;
  const message_digest = addMessage(session, 'And mail nobody.');
  teller.tell('finding in message', 'guard_finding', { session: session.id, what: 'message', content_digest: message_digest, findings: [{ guard: 'injection', verdict: 'label', path: '', detail: 'It speaks to the agent.' }] });
  const note = allow(session, 'note', ['notes', 'write', { text: 'start' }]);
  redeem(session, 'note redeemed', note);
  const output = report(session, 'note reported', note, 'Written. The key is kept elsewhere.');
  teller.tell('finding in output', 'guard_finding', {
    session: session.id, what: 'output', content_digest: output, about: { id: note.judged.id, digest: note.judged.digest }, findings: [{ guard: 'secrets', verdict: 'redact', path: '', detail: 'A key.' }],
  });
  openAndCloseChild(session);
  const capped = allow(session, 'update', ['database', 'update', { table: 'orders', set: { state: 'new' }, where: 'id = 1', limit: 500 }]);
  redeem(session, 'update redeemed', capped);
  teller.tell('update unknown', 'outcome_reported', {
    session: session.id, permit: capped.permit.id, action: { id: capped.judged.id, digest: capped.judged.digest }, status: 'unknown', labels: [], trusted: false, late: false,
    reported_by: { kind: 'service', id: 'plane' }, ...session.step({ kind: 'outcome', at: teller.now, action: capped.judged.id, status: 'unknown', reporter: 'enforcement_point', trusted: false, output: '', labels: [] }),
  });
  const dropped = session.judge('database', 'drop', { database: 'production' });
  teller.tell('drop denied', 'action_decided', { ...dropped.body, cause: 'proposed', state: 'denied' });
  teller.tell('edit refused', 'edit_refused', {
    what: 'policy', code: 'refused_direct_edit', by: { kind: 'agent', id: agent }, method: 'PUT', path: '/v1/policy',
    policy_sha256: { before: teller.policies[0]?.digest ?? null, after: teller.policies[0]?.digest ?? null },
  });
  teller.tell('calls refused', 'calls_refused', { by: { kind: 'agent', id: agent }, from: teller.now, to: later(teller.now, 60), counts: [{ code: 'forbidden', count: 3 }] });
  teller.checkpoint();
}

async function tellApprovals(session: ToldSession): Promise<void> {
  const { teller } = session;
  const { people, keys, roster } = teller.cast;
  const abe = { person: people.abe, key: keys.abe, kind: 'browser-ed25519' } as const;
  const bea = { person: people.bea, key: keys.bea, kind: 'passkey' } as const;
  const write = (path: string) => ['files', 'write', { path, content: 'numbers' }] as const;

  const commit = (label: string, seeded: boolean) => {
    const approval = teller.ids.make('approval');
    const { digest: commitment, salt } = contentItem(sha256, teller.ids.salt(), { request: approval, seeded });
    teller.tell(label, 'seeded_request_committed', { approval, commitment });
    return { approval, commitment, salt, seeded };
  };
  const real = commit('commitment', false);
  const asked = hold(session, 'report', roster, write('report.txt'), { approval: real.approval });
  await escalateAndExtend(session, asked, ['backup'], abe);
  const vote = await approve(session, 'report voted', asked, bea);
  resolve(session, 'report approved', asked, 'approved', [vote], people.bea);
  const permitted = { judged: asked.judged, permit: permit(session, 'report permitted', asked) };
  redeem(session, 'report redeemed', permitted);
  report(session, 'report reported', permitted, '3 lines');
  teller.tell('commitment opened', 'seeded_request_opened', real);

  const lookAlike = commit('seeded commitment', true);
  const seeded = hold(session, 'seeded', roster, write('seeded.txt'), { approval: lookAlike.approval });
  resolve(session, 'seeded denied', seeded, 'denied', [deny(session, 'seeded voted', seeded, people.abe)], people.abe);
  teller.tell('seeded opened', 'seeded_request_opened', lookAlike);

  const copy = hold(session, 'copy', roster, write('copy.txt'));
  const copied = await approve(session, 'copy voted', copy, abe);
  const standing = await giveStanding(session, copy, abe);
  resolve(session, 'copy approved', copy, 'approved', [copied], people.abe);
  permit(session, 'copy permitted', copy);
  const again = hold(session, 'second copy', roster, write('copy.txt'));
  const used = teller.tell('standing used', 'standing_approval_used', {
    standing: standing.standing, session: session.id, approval: again.approval, action: { id: again.judged.id, digest: again.judged.digest }, person: people.abe, rule: standing.rule, arguments_digest: standing.arguments_digest, use: 1,
  });
  resolve(session, 'second copy approved', again, 'approved', [used], people.abe);
  permit(session, 'second copy permitted', again);
  teller.byConsole('standing revoked', 'standing_approval_revoked', { standing: standing.standing, cause: 'revoked', by: { kind: 'person', id: people.abe } });

  const wide = hold(session, 'wide', roster, write('everything.txt'));
  const narrowed = await edit(session, 'wide edited', wide, abe, write('narrow.txt')[2]);
  const narrow = hold(session, 'narrow', roster, write('narrow.txt'), { id: narrowed, cause: 'edited', edited: { from: wide, by: people.abe } });
  resolve(session, 'wide superseded', wide, 'superseded', [], people.abe, { superseded_by: narrow.approval });
  resolve(session, 'narrow approved', narrow, 'approved', [await approve(session, 'narrow voted', narrow, abe)], people.abe);
  const expired = permit(session, 'narrow permitted', narrow);
  const draft = hold(session, 'draft', roster, write('draft.txt'));
  const anew = askAnew(session, 'draft again', roster, write('draft.txt'), draft);
  resolve(session, 'draft denied', anew, 'denied', [deny(session, 'draft voted', anew, people.abe)], people.abe);
  teller.tell('narrow refused', 'permit_refused', { permit: expired.id, action: { id: narrow.judged.id, digest: narrow.judged.digest }, code: 'permit_expired', by: gate });
  teller.checkpoint();
}

async function tellDeferrals(session: ToldSession): Promise<void> {
  const { teller } = session;
  const { people, roster } = teller.cast;
  const remove = (table: string) => ['database', 'delete', { table, where: 'age > 1' }] as const;
  const open = (label: string, table: string) => {
    const judged = session.judge(...remove(table));
    const demand = judged.decision.deferral;
    if (!demand) throw new Error(`${label} is not deferred but ${judged.decision.decision}.`);
    const terms = { id: teller.ids.make('deferral'), missing: demand.missing.map(({ suppliers, ...field }) => ({ ...field, suppliers: [...suppliers] })), expires_at: later(teller.now, demand.timeout_s) };
    const decided = teller.tell(`${label} deferred`, 'action_decided', { ...judged.body, cause: 'proposed', state: 'deferred', deferral: terms });
    teller.tell(`${label} opened`, 'deferral_opened', {
      deferral: terms.id, session: session.id, action: { id: judged.id, digest: judged.digest }, missing: terms.missing, conflict: [], expires_at: terms.expires_at,
    });
    return { judged, id: terms.id, decided };
  };
  const attempt = (label: string, { id, judged }: ReturnType<typeof open>, n: number, outcome: 'failed' | 'supplied') =>
    teller.tell(label, 'deferral_attempted', { deferral: id, action: { id: judged.id, digest: judged.digest }, subject: 'database:test_data', attribute: 'owner', source: 'ip:records', attempt: n, outcome });

  const deletion = open('deletion', 'test_data');
  attempt('asked in vain', deletion, 1, 'failed');
  attempt('asked again', deletion, 2, 'supplied');
  supply(session, 'owner supplied', 'database:test_data', 'requester@harbor.example');
  const held = hold(session, 'deletion', roster, remove('test_data'), {
    again: deletion.judged, cause: 'supplied', replaces: deletion.decided,
    between: (decided) => {
      teller.tell('deletion decided', 'deferral_resolved', { deferral: deletion.id, action: { id: deletion.judged.id, digest: deletion.judged.digest }, outcome: 'decided', by: { kind: 'service', id: 'plane' }, decided });
    },
  });
  const question = askBack(session, held, people.abe, 'Since when is it there?');
  reply(session, held, 'Since last week.');
  const again = hold(session, 'answered deletion', roster, remove('test_data'), {
    again: held.judged, cause: 'supplied', replaces: held.decided,
    between: (decided) => {
      teller.tell('answered', 'deferral_resolved', { deferral: question, action: { id: held.judged.id, digest: held.judged.digest }, outcome: 'decided', by: { kind: 'service', id: 'plane' }, decided });
    },
  });
  resolve(session, 'deletion withdrawn', again, 'withdrawn', [], people.rita);
  teller.byConsole('withdrawn', 'action_withdrawn', { session: session.id, action: { id: held.judged.id, digest: held.judged.digest }, cause: 'withdrawn', by: { kind: 'person', id: people.rita } });

  const asked = open('other deletion', 'other_data');
  await answer(session, asked.id, 'database:other_data', 'owner@harbor.example');
  teller.wait(400);
  teller.tell('other deletion expired', 'deferral_resolved', { deferral: asked.id, action: { id: asked.judged.id, digest: asked.judged.digest }, outcome: 'expired', by: { kind: 'service', id: 'plane' } });
  await lower(session, 'PII');
  teller.checkpoint();
}

async function tellPolicies(teller: Teller): Promise<void> {
  const { people, keys } = teller.cast;
  const [first] = teller.policies;
  if (!first) throw new Error('There is no policy yet.');
  const base = { revision: first.revision, digest: first.digest };
  const text = `${toldPolicy}  - id: few-rows\n    match: { tool: database, operation: update, parameters: { limit: { gt: 50 } } }\n    action: DENY\n    reason: "Nobody asks for more than fifty rows."\n`;
  const fewer = await propose(teller, 'fewer rows proposed', 'policy', utf8(text), text, base, { kind: 'person', id: people.abe });
  const wider = await propose(teller, 'wider proposed', 'policy', utf8(`${text}# wider\n`), 'wider', base, { kind: 'agent', id: agent });
  const proof_digest = await proveAndSign(teller, 'fewer rows', fewer, 'tighten');
  const applied = await teller.addPolicy(text);
  const signers = [keyId(keys.owner.signer.keyId)];
  teller.byConsole('second policy', 'policy_applied', {
    ...applied, base_digest: base.digest, signers, change: 'tighten', self_signed: false, origin: 'proposal', by: owns(teller), proposal: fewer.proposal, proof_digest,
  });
  teller.byConsole('wider rejected', 'policy_rejected', { proposal: wider.proposal, digest: wider.digest, outcome: 'stale', reason: 'Its base is no longer in force.', by: owns(teller) });
  const back = await teller.addPolicy(toldPolicy);
  teller.byConsole('third policy', 'policy_applied', { ...back, base_digest: applied.digest, signers, change: 'rollback', self_signed: true, origin: 'rollback', by: owns(teller) });
  await applyToAllowlist(teller);
  teller.byConsole('rolled back', 'policy_rolled_back', { ...back, restores: base, replaces: applied, reason: 'Too few rows.', by: owns(teller) });
  teller.checkpoint();
}

async function tellGrant(session: ToldSession): Promise<void> {
  const { teller } = session;
  const grant = await issueGrant(teller);
  for (const [at, name] of ['first', 'second'].entries()) {
    const granted = allow(session, `${name} granted note`, ['notes', 'write', { text: name }], [grant]);
    redeem(session, `${name} granted note redeemed`, granted);
    count(session, `${name} use`, grant, granted, at + 1);
    report(session, `${name} granted note reported`, granted, 'Written.');
  }
  teller.byConsole('grant revoked', 'grant_revoked', { grant, cause: 'revoked', reason: 'Done.', by: owns(teller) });
  teller.checkpoint();
}

async function tellSwitch(session: ToldSession): Promise<void> {
  const { teller } = session;
  const { workspace, keys } = teller.cast;
  const on = { scope: 'agent', target: agent } as const;
  const thrown = teller.byConsole('switch thrown', 'switch_thrown', { ...on, on: true, reason: 'Look first.', by: owns(teller), epoch: 2 });
  const stopped = session.judge('notes', 'write', { text: 'stopped' }, { killed: true });
  teller.tell('stopped', 'action_decided', { ...stopped.body, cause: 'proposed', state: 'denied' });
  const envelope = await signStatement('switch_release', workspace, { ...on, thrown }, teller.now, [keys.owner.signer]);
  teller.byConsole('switch released', 'switch_thrown', { ...on, on: false, reason: 'Looked.', by: owns(teller), epoch: 3, envelope });
  teller.checkpoint();
}

/** An agent is suspended, and an owner lets it back in. */
async function tellSuspension(teller: Teller): Promise<void> {
  const { workspace, keys, credentials } = teller.cast;
  const helper = { credential: credentials.agent, kind: 'agent', subject: agent } as const;
  const suspended = teller.byConsole('agent suspended', 'credential_administered', { ...helper, change: 'suspended', by: owns(teller) });
  const envelope = await signStatement('agent_restoration', workspace, { agent, suspended }, teller.now, [keys.owner.signer]);
  teller.byConsole('agent restored', 'credential_administered', { ...helper, change: 'restored', by: owns(teller), reason: 'Looked.', envelope });
  teller.checkpoint();
}

/** Somebody finds the recovery key; the owner sees it coming and cancels. */
async function tellRecovery(teller: Teller): Promise<void> {
  const { cast } = teller;
  const signed = parseTrustRoot(envelopePayload(teller.trustRoots.at(-1) ?? (await signTrustRoot(cast.root, []))) ?? new Uint8Array());
  if (!signed.ok) throw new Error(signed.error.detail);
  const root = recoveredRoot(signed.value, cast);
  const digest = trustRootDigest(root, sha256);
  const announced = teller.byConsole('recovery announced', 'recovery_announced', {
    version: root.version, digest, previous_digest: trustRootDigest(signed.value, sha256), by: { kind: 'person', id: cast.people.abe }, envelope: await signTrustRoot(root, [cast.keys.recovery.signer]),
  });
  teller.byConsole('recovery cancelled', 'recovery_cancelled', { digest, announced, by: owns(teller) });
  teller.checkpoint();
}

async function tellLateWork(teller: Teller, session: ToldSession): Promise<void> {
  const { cast } = teller;
  const { people, keys, workspace } = cast;
  const roster = nextRoster(cast);
  const other = openSession(teller, 'second session opened', 'Pay the invoice.');
  const payment = hold(other, 'payment', roster, ['payments', 'transfer', { to: 'DE02120300000000202051', amount: 120, currency: 'EUR' }]);
  const abes = await approve(other, 'payment voted by abe', payment, { person: people.abe, key: keys.abesNext, kind: 'browser-ed25519' });
  const beas = await approve(other, 'payment voted by bea', payment, { person: people.bea, key: keys.bea, kind: 'passkey' });
  resolve(other, 'payment approved', payment, 'approved', [abes, beas], people.bea);
  const paid = { judged: payment.judged, permit: permit(other, 'payment permitted', payment) };
  redeem(other, 'payment redeemed', paid);
  const output = report(other, 'payment reported', paid, 'Paid to Rita, +49 30 1234567.');
  teller.erased.push(output);
  teller.byConsole('content erased', 'content_erased', { cause: 'asked', reason: 'Rita asked for it.', by: owns(teller), session: other.id, digests: [output], entries: 1 });
  teller.byConsole('abe’s next key revoked', 'key_removed', { person: people.abe, key: keyId(keys.abesNext.signer.keyId), cause: 'revoked', by: { kind: 'person', id: people.abe } });
  teller.byConsole('exported', 'export_made', { by: owns(teller), from: 0, to: 20, format: 'bundle', receipts: 20, withheld: false, digest: digestOf(sha256, utf8('a bundle')) });
  for (const [label, one] of [['session closed', session], ['second session closed', other]] as const) {
    teller.tell(label, 'session_closed', { session: one.id, cause: 'closed', by: desk, ...one.head });
  }
  const policy = teller.policies.at(-1);
  if (!policy) throw new Error('There is no policy.');
  const state = (size: number) => ({ root_version: 2, roster_version: 2, policy: { revision: policy.revision, digest: policy.digest }, log: { size, root: digestOf(sha256, utf8(`log of ${String(size)}`)) } });
  const restore = { served: state(teller.position + 3), found: state(teller.position), reason: 'The disk was lost.' };
  const envelope = await signStatement('rollback_acceptance', workspace, restore, teller.now, [keys.owner.signer]);
  teller.byConsole('restore accepted', 'rollback_accepted', { ...restore, person: people.owner, envelope });
  teller.checkpoint();
}
