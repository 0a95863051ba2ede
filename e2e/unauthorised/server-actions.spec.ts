import { exportedActions, postAction } from '../console-actions';
import { present, type Demo } from '../demo';
import { expect, test } from '../fixture';
import { change } from '../held-work';

/** Who may call what with nothing but a session; everything else is refused to a requester. */
const everybodys = new Set(['enrolKey', 'renameKey', 'revokeKey', 'withdraw', 'changePassword', 'supplyFact', 'prepareProposal', 'makeProposal', 'withdrawProposal']);

/** What an intruder would send: each would do harm if it were let through. A new action has to be added here. */
async function harmfulInputs(demo: Demo, approval: string, action: string): Promise<Readonly<Record<string, unknown>>> {
  const documents = { link: 'a-link-that-nobody-printed', name: 'Mallory', email: 'mallory@harbor.example', mode: 'solo' };
  const key = { id: 'a'.repeat(64), kind: 'browser-ed25519', public_key: Buffer.alloc(32).toString('base64') };
  const envelope = JSON.stringify({ payload: '', payloadType: 'x', signatures: [{ keyid: 'a', sig: Buffer.alloc(64).toString('base64') }] });
  return {
    prepareSetUp: { ...documents, owner_key: key, recovery_key: key },
    completeSetUp: { ...documents, password: 'a long enough password' },
    approve: { approval, envelope },
    extend: { approval, envelope },
    edit: { approval, envelope, content: { salt: 'AAAAAAAAAAAAAAAAAAAAAA==', parameters: '{}' } },
    deny: { approval, code: 'not_wanted', reason: 'Because I can.' },
    askBack: { approval, question: 'What is it for?' },
    withdraw: { action },
    lowerLabel: { session: 'ses_0123456789abcdefghij12', envelope },
    supplyFact: { deferral: 'dfr_0123456789abcdefghij12', envelope, content: null },
    enrolKey: { envelope },
    refuseEnrolment: { enrolment: 'enr_0123456789abcdefghij12' },
    prepareRosterChange: { change: { kind: 'remove_credential', credential: 'crd_0123456789abcdefghij12' } },
    completeRosterChange: { change: { kind: 'remove_credential', credential: 'crd_0123456789abcdefghij12' }, roster: envelope },
    mintCredential: { credential_kind: 'orchestrator', subject: 'intruder', scope: { humans: [demo.person('owner').email] }, expires_in_days: 10 },
    invitePerson: { email: 'mallory@harbor.example', name: 'Mallory' },
    suspendPerson: { person: 'per_0123456789abcdefghij12' },
    changePassword: { current: 'not known', next: 'a long enough password' },
    prepareTrustChange: { change: { cool_off_seconds: 1 } },
    signTrustChange: { change: { cool_off_seconds: 1 }, at: '2026-01-31T09:05:00.000Z', trust_root: envelope },
    withdrawCeremony: { digest: 'a'.repeat(64) },
    announceRecovery: { owners: [{ person: 'per_0123456789abcdefghij12', key }], at: '2026-01-31T09:05:00.000Z', envelope },
    completeRecovery: { digest: 'a'.repeat(64), roster: envelope },
    cancelRecovery: { digest: 'a'.repeat(64) },
    prepareProposal: { text: 'schema: countersign/policy/v1', format: 'yaml' },
    makeProposal: { proposal: 'prp_0123456789abcdefghij12', text: 'schema: countersign/policy/v1', format: 'yaml', base: null, envelope },
    withdrawProposal: { proposal: 'prp_0123456789abcdefghij12' },
    rejectProposal: { proposal: 'prp_0123456789abcdefghij12', reason: 'Because I can.' },
    rebaseProposal: { proposal: 'prp_0123456789abcdefghij12' },
    orderProposals: { proposals: ['prp_0123456789abcdefghij12'] },
    prepareSigning: { proposals: ['prp_0123456789abcdefghij12'] },
    signProposals: { proposals: ['prp_0123456789abcdefghij12'], statement: envelope, documents: [[{ envelope }]] },
    applyProposal: { proposal: 'prp_0123456789abcdefghij12' },
    registerAgent: { agent: 'intruder', role: 'operator' },
    suspendAgent: { agent: 'harbor-ops' },
    prepareAgentRestoration: { agent: 'harbor-ops' },
    restoreAgent: { agent: 'harbor-ops', reason: 'Because I can.', envelope },
    revokeCredential: { credential: 'crd_0123456789abcdefghij12' },
    throwSwitch: { scope: 'all', reason: 'Because I can.' },
    prepareSwitchRelease: { scope: 'all' },
    releaseSwitch: { scope: 'all', reason: 'Because I can.', envelope },
    prepareGrant: { agent: 'harbor-ops', tool: 'database', operation: null, scope: null, uses: 1000, expires_at: '2099-01-01T00:00:00.000Z', reason: 'Because I can.' },
    prepareGrantProposal: { agent: 'harbor-ops', tool: 'database', operation: null, scope: null, uses: 1000, expires_at: '2099-01-01T00:00:00.000Z' },
    signGrant: { envelope },
    revokeGrant: { grant: 'grt_0123456789abcdefghij12', reason: 'Because I can.' },
    suggestRules: {},
    proveAgain: { proposal: 'prp_0123456789abcdefghij12' },
    cancelProof: { proposal: 'prp_0123456789abcdefghij12' },
    startShadow: { proposal: 'prp_0123456789abcdefghij12', days: 7 },
    stopShadow: { proposal: 'prp_0123456789abcdefghij12' },
    saveDraft: { version: 0, text: 'rules: []', format: 'yaml', tests: '', base: null },
    discardDraft: { version: 1 },
    signPolicyRequest: { link: 'sgn_0123456789', signature: envelope, statement: null },
    renameKey: { key: 'a'.repeat(64), label: 'Mine' },
    revokeKey: { key: 'a'.repeat(64) },
    prepareGuardSigning: { proposal: 'prp_0123456789abcdefghij12' },
    signGuardProposal: { proposal: 'prp_0123456789abcdefghij12', statement: envelope, application: envelope },
    rejectGuardProposal: { proposal: 'prp_0123456789abcdefghij12', reason: 'Because I can.' },
    sendTestNotice: { channel: 'webhook' },
    saveView: { name: 'Mine', filters: { decision: 'DENY' } },
    renameView: { view: 'viw_0123456789abcdefghij12', name: 'Mine' },
    deleteView: { view: 'viw_0123456789abcdefghij12' },
  };
}

/** The root and what waits; the log grows by the sign-ins of this very test. */
function trustOf(text: string): unknown {
  const { version, digest, pending } = JSON.parse(text) as Readonly<Record<string, unknown>>;
  return { version, digest, pending };
}

test('no exported server action does anything without a session, or with one that does not include it', async ({ signIn, openBrowser, demo }) => {
  const held = await demo.propose('harbor-assistant', await demo.openSession(change.session), change.proposal);
  const inputs = await harmfulInputs(demo, present(held.approval, 'approval').id, held.id);
  const actions = await exportedActions();
  expect(actions.length).toBeGreaterThan(10);

  const owner = await signIn('owner');
  const standing = async () => {
    const read = async (path: string) => await (await owner.request.get(demo.console + path)).text();
    const { agents, vouching, switches } = JSON.parse(await read('/api/agents')) as Readonly<Record<string, readonly object[]>>;
    const registered = present(agents, 'agents').map((agent) => ({ ...agent, last_hour: null }));
    return { people: await read('/api/people'), policies: await read('/api/policies'), enrolments: await read('/api/enrolments'), trust: trustOf(await read('/api/trust')), registered, vouching, switches };
  };
  const before = await standing();
  const stranger = (await openBrowser()).request;
  const requester = (await signIn('requester')).request;

  for (const action of actions) {
    await test.step(`${action.file} ${action.name}`, async () => {
      const input = present(inputs[action.name], `harmful input for ${action.name}`);
      const refused = await postAction(stranger, demo.console, action, input);
      expect(refused.refusal, refused.text).toMatch(/^(sign_in_needed|set_up_done|set_up_link_invalid|link_invalid)$/);
      if (everybodys.has(action.name)) return;
      const forbidden = await postAction(requester, demo.console, action, input);
      expect(forbidden.refusal, forbidden.text).toMatch(/^(forbidden|set_up_done|set_up_link_invalid|link_invalid)$/);
    });
  }

  await test.step('from another site', async () => {
    const deny = present(actions.find(({ name }) => name === 'deny'), 'deny');
    const approver = (await signIn('approver')).request;
    const response = await approver.post(demo.console + deny.page, {
      headers: { 'next-action': deny.id, 'content-type': 'text/plain;charset=UTF-8', origin: 'https://elsewhere.example', 'sec-fetch-site': 'cross-site' },
      data: JSON.stringify([inputs['deny']]),
    });
    expect(response.status()).toBe(403);
  });

  expect(await standing()).toEqual(before);
  expect(await demo.readAction('harbor-assistant', held.id)).toMatchObject({ state: 'held' });
});
