import { setTimeout as pause } from 'node:timers/promises';

import { entryHash } from '@/lib/context/entry-hash';
import type { ActionView } from '@/lib/contracts/plane/actions';
import { readStatement } from '@/lib/ledger/statement';
import { createPlaneClient, type PlaneClient } from '@/lib/pep/sdk/plane-client';
import { nodeSha256 } from '@/lib/server/node-sha256';
import { canonicalJson } from '@/lib/shared/canonical-json';
import { parseEnvelope } from '@/lib/shared/dsse';
import { isId } from '@/lib/shared/ids';
import type { Result } from '@/lib/shared/result';

import type { Adapter } from '../adapter';
import type { Call, Cast, Reply } from '../call';
import { ownPolicy } from '../own-policy';
import { agentsOfPlane } from './agents-of-plane';
import { ownerOfPlane } from './owner-of-plane';
import { peopleOfPlane } from './people-of-plane';
import type { PlaneStage } from './plane-stage';
import { secondPointOfPlane } from './second-point-of-plane';

type Act = Extract<Call, { call: 'act' }>;
type Supply = Extract<Call, { call: 'supply' }>;

/** Longer than any honest call, on a machine that is busy. */
const timeoutMs = 60_000;

/** A whole plane over HTTP: agents, orchestrator, enforcement and information points by their credentials, people and owners by the console's use cases. */
export function planeAdapter(stage: PlaneStage, cast: Cast): Adapter {
  const { parts, provisioned, url } = stage;
  const people = peopleOfPlane(stage);
  const owner = ownerOfPlane(stage, people.owner, people.personOf);
  const tokens = new Map([...provisioned.agents, ...provisioned.vouching].map(({ subject, token }) => [subject, token]));
  const names = new Map([...provisioned.agents, ...provisioned.vouching].map(({ id, subject }) => [String(id), subject]));
  const permits = new Map<string, string>();
  const executions = new Map<string, number>();
  const proposers = new Map<string, string>();
  const second = secondPointOfPlane(stage.blocklist);
  const agents = agentsOfPlane(cast, owner.register, tokens);

  const client = (subject: string): PlaneClient => createPlaneClient({ url, token: tokens.get(subject) ?? 'none', timeoutMs });
  const gate = (): PlaneClient => client(cast.enforcement_point);
  const desk = (): PlaneClient => client(cast.orchestrator);

  /** The action as the plane shows it, with what only its receipts and rows say. */
  async function shown(view: ActionView): Promise<Reply> {
    if (view.permit) permits.set(view.id, view.permit.id);
    const approval = view.approval && (await parts.approvals.find(view.approval.id));
    return {
      action: view.id,
      decision: view.decision,
      state: view.state,
      code: view.code,
      ...(view.classification === undefined ? {} : { classification: view.classification }),
      executions: executions.get(view.id) ?? 0,
      ...(view.transformed ? { transformed: view.transformed.parameters } : {}),
      ...(view.approval && approval ? { approvers: [...approval.approvers], quorum: view.approval.quorum } : {}),
      ...(view.deferral
        ? { missing: view.deferral.missing.map(({ field }) => field), suppliers: [...new Set(view.deferral.missing.flatMap(({ suppliers }) => suppliers))] }
        : {}),
      ...(await identityOf(view.receipt.id)),
    };
  }

  async function identityOf(receipt: string): Promise<Pick<Reply, 'identity'>> {
    const row = isId('receipt', receipt) ? await parts.log.byId(receipt) : undefined;
    const envelope = row && parseEnvelope(row.envelope);
    const body = envelope?.ok === true ? readStatement(nodeSha256, envelope.value) : undefined;
    if (body?.ok !== true || body.value.kind !== 'action_decided') return {};
    const { human, service, agent, session, role, scope, delegation } = body.value.predicate.identity;
    return { identity: { human, service: names.get(service) ?? service, agent: agents.named(agent), session, role, scope: [...scope], ...(delegation.length > 0 ? { delegation: [...delegation] } : {}) } };
  }

  const read = async (action: string): Promise<Reply> => replyOf(await gate().readAction(action), shown);

  async function act(call: Act): Promise<Reply> {
    switch (call.do) {
      case 'propose': {
        const { session, tool, operation, parameters, depends_on, reason } = call;
        const agent = agents.standing(call.agent);
        const proposal = { session, tool, operation, parameters, ...(depends_on.length > 0 ? { depends_on } : {}), ...(reason === '' ? {} : { reason }) };
        const reply = await replyOf(await client(agent).propose(proposal), shown);
        if (reply.action !== undefined) proposers.set(reply.action, agent);
        return reply;
      }
      case 'execute': {
        if (!permits.has(call.action)) await read(call.action);
        // Where none was ever given the plane is asked with one that is made up.
        const permit = permits.get(call.action) ?? `pmt_${call.action.slice(4)}`;
        const redeemed = await gate().redeemPermit(permit);
        if (!redeemed.ok) return { refused: redeemed.error.code };
        executions.set(call.action, (executions.get(call.action) ?? 0) + 1);
        return { ...(await read(call.action)), executed: redeemed.value.execute.parameters };
      }
      case 'report': {
        const reporter = call.by === 'agent' ? client(proposers.get(call.action) ?? 'nobody') : gate();
        return await replyOf(await reporter.reportOutcome(call.action, { status: call.status, output: call.output }), () => read(call.action));
      }
      case 'withdraw':
        return await replyOf(await client(proposers.get(call.action) ?? 'nobody').withdrawAction(call.action), () => read(call.action));
    }
  }

  async function supply(call: Supply): Promise<Reply> {
    switch (call.do) {
      case 'message':
        return await replyOf(await desk().recordMessage(call.session, call.text), ({ state }) => ({ state: state === 'open' ? 'open' : 'closed' }));
      case 'attribute': {
        const { session, by, subject, name, value } = call;
        return await replyOf(await client(by).supplyContext(session, [{ subject, name, value }]), () => ({ state: 'open' }));
      }
      case 'vote': {
        const approval = isId('action', call.action) ? await parts.approvals.ofAction(call.action) : undefined;
        if (!approval) return { refused: 'not_found' };
        const voted = await people.vote(approval.id, call.by, call.verdict);
        return voted.ok ? await permitted(call.action) : { refused: voted.error.code };
      }
      case 'close':
        return await replyOf(await desk().closeSession(call.session), () => ({ state: 'closed' }));
      case 'kill_switch':
        if (call.on) await owner.stopAgents(agents.all());
        else for (const { id } of cast.agents) await agents.renew(id);
        return {};
      case 'suspend':
        if (call.on) await owner.suspend(agents.standing(call.agent));
        else await agents.renew(call.agent);
        return {};
      case 'answer':
        return await second.answers(call.answer);
      case 'finding':
        return { unsupported: 'an inspector that finds what a case says' };
    }
  }

  /** The plane gives the permit in its own commit, after the vote's. */
  async function permitted(action: string): Promise<Reply> {
    for (let tries = 0; ; tries++) {
      const reply = await read(action);
      const { needed = 1, given = 0 } = reply.quorum ?? {};
      if (reply.state !== 'held' || given < needed || tries > 100) return reply;
      await pause(50);
    }
  }

  async function state({ of, id, after_s }: Extract<Call, { call: 'state' }>): Promise<Reply> {
    await pause(after_s * 1000);
    if (of === 'action') return await read(id);
    const row = isId('session', id) ? (await parts.sessions.find([id])).get(id) : undefined;
    if (!row) return { refused: 'not_found' };
    const entries = await parts.sessions.entries(row.id, 0);
    const chain = entries.map(({ hash, entry, seq }, at) => {
      const previous = entries[at - 1]?.hash ?? null;
      // A link counts as naming the one before it when its hash is over that one's.
      return { hash: String(hash), previous: entryHash(nodeSha256, previous, entry, seq) === hash ? previous : 'another' };
    });
    return { state: row.state, chain };
  }

  return {
    name: 'plane',
    // It keeps time once a second, and decides then what waited for others.
    settleMs: 5000,
    ask: async (call) => {
      switch (call.call) {
        case 'load_policy': {
          await second.reset();
          if (!call.signed) return { unsupported: 'taking a policy into force that nobody signed' };
          const loaded = await owner.loadPolicy(canonicalJson(ownPolicy(agents.policyFor(call.policy))));
          return loaded.ok ? { loaded: true } : { loaded: false, refused: loaded.error.code };
        }
        case 'open_session': {
          const { human, agent, request, parent } = call;
          const body = { human, agent: agents.standing(agent), request, ...(parent === null ? {} : { parent }) };
          return await replyOf(await desk().openSession(body), ({ id }) => ({ session: id, state: 'open' }));
        }
        case 'act':
          return await act(call);
        case 'supply':
          return await supply(call);
        case 'state':
          return await state(call);
      }
    },
    close: stage.close,
  };
}

/** An answer in the words of the protocol. What came not from the plane but from the way to it is no refusal of it. */
async function replyOf<T>(answered: Result<T, { readonly code: string; readonly detail: string }>, then: (value: T) => Reply | Promise<Reply>): Promise<Reply> {
  if (answered.ok) return await then(answered.value);
  const { code, detail } = answered.error;
  if (code.startsWith('plane_')) throw new Error(`${code}: ${detail}`);
  return { refused: code };
}
