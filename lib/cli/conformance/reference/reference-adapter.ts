import { compilePolicyText } from '@/lib/server/compile-policy-text';
import { canonicalJson } from '@/lib/shared/canonical-json';

import type { Adapter } from '../adapter';
import type { Call, Reply } from '../call';
import { ownPolicy } from '../own-policy';
import { execute } from './execute';
import { keepTime } from './keep-time';
import { propose } from './propose';
import { castVote, closeSession, openSession, recordMessage, reportOutcome, supplyAttribute, withdraw } from './supply';
import { viewOf } from './view-of';
import type { Action, Session, World } from './world';

const start = Date.parse('2030-06-03T12:00:00.000Z');
const nobody = { people: [], agents: [], orchestrator: '', enforcement_point: '', information_points: [] };

/**
 * The pure core with the plainest plane around it: sessions, permits, votes and time in memory, no signatures, no network. It says what
 * the plane's life cycle means as `spec.ts` says what a decision means; the real plane is held to the same cases.
 */
export function referenceAdapter(): Adapter {
  const world: World = {
    now: start, cast: nobody, policy: null, epoch: 0, killed: false, suspended: new Set(), sessions: new Map(), actions: new Map(), made: 0,
  };
  return { name: 'core', settleMs: 0, ask: (call) => Promise.resolve(answer(world, call)), close: () => Promise.resolve() };
}

function answer(world: World, call: Call): Reply {
  switch (call.call) {
    case 'load_policy':
      return loadPolicy(world, call);
    case 'open_session':
      return openSession(world, call);
    case 'act':
      if (call.do === 'propose') return propose(world, call);
      return withAction(world, call.action, (action) => act(world, action, call));
    case 'supply':
      return supply(world, call);
    case 'state':
      world.now += call.after_s * 1000;
      keepTime(world);
      if (call.of === 'action') return withAction(world, call.id, (action) => viewOf(action));
      return withSession(world, call.id, ({ open, chain }) => ({
        state: open ? 'open' : 'closed',
        chain: chain.map(({ hash }, at) => ({ previous: chain[at - 1]?.hash ?? null, hash })),
      }));
  }
}

/** What nobody signed is not read, and then nothing is allowed. */
function loadPolicy(world: World, { policy, signed, cast }: Extract<Call, { call: 'load_policy' }>): Reply {
  const compiled = signed ? compilePolicyText(canonicalJson(ownPolicy(policy)), 'json') : null;
  if (compiled?.ok === false) return { loaded: false, refused: compiled.error.code };
  world.cast = cast;
  world.policy = compiled?.value ?? null;
  world.epoch += 1;
  return { loaded: compiled !== null };
}

function act(world: World, action: Action, call: Exclude<Extract<Call, { call: 'act' }>, { do: 'propose' }>): Reply {
  switch (call.do) {
    case 'execute': {
      const outcome = execute(world, action);
      return 'refused' in outcome ? outcome : { ...viewOf(action), executed: { ...outcome.executed } };
    }
    case 'report':
      return reportOutcome(world, action, call);
    case 'withdraw':
      return withdraw(world, action);
  }
}

function supply(world: World, call: Extract<Call, { call: 'supply' }>): Reply {
  switch (call.do) {
    case 'message':
      return withSession(world, call.session, (session) => recordMessage(world, session, call));
    case 'attribute':
      return withSession(world, call.session, (session) => supplyAttribute(world, session, call));
    case 'vote':
      return withAction(world, call.action, (action) => castVote(world, action, call));
    case 'finding':
      return withSession(world, call.session, ({ findings }) => {
        findings.push({ guard: 'inspector', verdict: call.verdict, path: call.path, detail: 'as the case has it' });
        return {};
      });
    case 'answer':
      return withSession(world, call.session, ({ answers }) => {
        answers.push({ point: 'second', answer: call.answer, cause: 'as the case has it' });
        return {};
      });
    case 'kill_switch':
      world.killed = call.on;
      world.epoch += 1;
      return {};
    case 'suspend':
      world.suspended[call.on ? 'add' : 'delete'](call.agent);
      world.epoch += 1;
      return {};
    case 'close':
      return withSession(world, call.session, (session) => closeSession(world, session));
  }
}

function withSession(world: World, id: string, then: (session: Session) => Reply): Reply {
  const session = world.sessions.get(id);
  return session ? then(session) : { refused: 'not_found' };
}

function withAction(world: World, id: string, then: (action: Action) => Reply): Reply {
  const action = world.actions.get(id);
  return action ? then(action) : { refused: 'not_found' };
}
