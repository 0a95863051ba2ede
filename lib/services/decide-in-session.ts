import { takeSnapshot } from '@/lib/context/take-snapshot';
import { plainTargetOf } from '@/lib/context/target-kind';
import type { Identity, PointAnswer, Snapshot } from '@/lib/context/snapshot';
import type { Embedding } from '@/lib/context/embedding';
import type { Inherited } from '@/lib/context/entry';
import { decide } from '@/lib/engine/decide';
import type { Decision } from '@/lib/engine/decision';
import { inspectAction } from '@/lib/guards/inspect-action';
import type { CanonicalAction } from '@/lib/mediate/action';
import { deriveFacts } from '@/lib/mediate/facts';
import { coversAction } from '@/lib/policy/grant-scope';
import { errorCodes } from '@/lib/shared/error-codes';
import type { ActionId } from '@/lib/shared/ids';

import type { CoveringGrant } from './grants/covering-grants';
import { bareSnapshot } from './bare-snapshot';
import { sessionStateAt } from './session-state-at';
import type { InForce } from './in-force';
import { isKilled } from './is-killed';
import type { LiveSession } from './session-contexts';

export type DecidedInSession = { readonly decision: Decision; readonly snapshot: Snapshot; readonly inherited: Inherited };

/**
 * Collects the evidence and asks the engine: the one way in which an action of a session is decided, whether first
 * proposed, decided again with new context, or at redeeming.
 */
export function decideInSession(parts: {
  readonly id: ActionId;
  readonly action: CanonicalAction;
  readonly session: LiveSession;
  readonly inForce: InForce;
  readonly now: string;
  /** What is known of the resources that it reads; at its own permit when it is decided again. */
  readonly inherited: Inherited;
  /** Set when the action's own permit is in the context already: it is no prior action of itself. */
  readonly again?: boolean;
  /** Answers of other decision points, and that an earlier action has to end first. */
  readonly points?: readonly PointAnswer[];
  /** What an embeddings endpoint said of it; undefined where none was asked. */
  readonly embedding?: Embedding | undefined;
  /** Those that cover it; none for an operation that needs none. */
  readonly grants: readonly CoveringGrant[];
  /** False: whoever proposed the action could not propose it any more. Left out: the caller has just been authenticated. */
  readonly credentialLives?: boolean;
}): DecidedInSession {
  const { id, action, session, inForce, now, inherited } = parts;
  const { row, state } = session;
  const agent = inForce.agents.get(row.agent);
  const policy = inForce.denied === null ? (inForce.policy?.compiled ?? null) : null;
  const above = state.lineage?.delegation ?? [];
  const identity: Identity = {
    agent: row.agent,
    delegation: above.map(({ session: other }) => other),
    human: row.human,
    role: agent?.role ?? 'unregistered',
    // A child may do nothing that one of the sessions above it may not.
    scope: (agent?.scope ?? []).filter((one) => above.every(({ agent: other }) => inForce.agents.get(other)?.scope.includes(one) === true)),
    service: row.service,
    session: row.id,
  };
  const known = {
    session: { state: sessionStateAt(row, policy, now), opened_at: row.opened_at, head: row.head },
    identity,
    identityVerified: parts.credentialLives !== false && agent !== undefined && agent.suspended_at === null && humanMayAct(inForce, row.human) && above.every((one) => mayAct(inForce, one.agent)),
    killed: [row, ...above].some((one) => isKilled(inForce, one.agent, action.tool)),
  };
  const gather = (further: readonly string[], grants: readonly CoveringGrant[]): Snapshot => takeSnapshot(state, action, {
    ...known,
    now,
    subjects: [`action:${id}`, ...further],
    guards: inspectAction(action, inForce.managed),
    points: parts.points ?? [],
    recent: policy?.index.get(`${action.tool}.${action.operation}`)?.readsRecent === true,
    grants: grants.map(({ id: grant }) => grant),
    resourceLabels: inherited.labels,
    ...(policy ? { plainTarget: plainTargetOf(policy.catalogue, action.tool) } : {}),
    ...(parts.embedding ? { embedding: parts.embedding } : {}),
    ...(session.relatives ? { relatives: session.relatives } : {}),
    information: policy?.information ?? new Map(),
    internalDomains: policy?.internalDomains ?? null,
    ...(parts.again === true ? { excludeAction: id } : {}),
  });
  const decideWith = (grants: readonly CoveringGrant[]): Decided =>
    decideOnEvidence((further) => gather(further, grants), (evidence) => decide(action, evidence, policy, now), () => bareSnapshot(row, known), state);
  let { snapshot, decision } = decideWith(parts.grants);
  const { transformed } = decision;
  if (policy && transformed && decision.grants.length > 0) {
    // What runs is a′: only a grant that covers both a and a′ may be named by its permit.
    const changed = { ...action, parameters: transformed.parameters, facts: deriveFacts(action.entry, transformed.parameters) };
    const both = parts.grants.filter(({ terms }) => coversAction(terms, changed, policy));
    if (both.length < parts.grants.length) ({ snapshot, decision } = decideWith(both));
  }
  return { snapshot, inherited, decision: inForce.denied === null ? decision : deniedBecause(decision, inForce.denied, inForce.refusal) };
}

type Decided = Pick<DecidedInSession, 'snapshot' | 'decision'>;

/**
 * Decides, and where a′ lacks facts about what a does not name, takes those in that are known. A fault on the way is evidence
 * itself: the action is denied for it, with a receipt, rather than left without an answer.
 */
function decideOnEvidence(gather: (further: readonly string[]) => Snapshot, ask: (snapshot: Snapshot) => Decision, bare: () => Snapshot, { attributes }: LiveSession['state']): Decided {
  const further = new Set<string>();
  try {
    for (;;) {
      const snapshot = gather([...further]);
      const decision = ask(snapshot);
      const named = (decision.deferral?.missing ?? []).flatMap(({ subject }) => (subject === undefined || further.has(subject) || attributes.of([subject]).length === 0 ? [] : [subject]));
      const fresh = named.filter((subject) => !snapshot.attributes.some((fact) => fact.subject === subject));
      if (fresh.length === 0) return { snapshot, decision };
      for (const subject of fresh) further.add(subject);
    }
  } catch {
    const snapshot = bare();
    return { snapshot, decision: ask(snapshot) };
  }
}

/** The decision stands on a part that failed or was late, whatever else would have denied: what comes after it must not count on it. */
export const restsOnFault = ({ decision, snapshot }: Decided): boolean =>
  decision.code === 'internal' || snapshot.guards.some(({ verdict }) => verdict === 'failed') || snapshot.points.some(({ answer }) => answer === 'fault');

/** Without a policy in force the engine denies; why there is none is known here. */
const deniedBecause = (decision: Decision, code: NonNullable<InForce['denied']>, refusal: InForce['refusal']): Decision => ({
  ...decision,
  decision: 'DENY',
  code,
  // Which document was refused is named by its code alone: its words are for people.
  reason: `${errorCodes[code].title}${refusal && refusal.code !== code ? ` (${refusal.code})` : ''}: every action is denied.`,
});

const mayAct = ({ agents }: InForce, agent: string): boolean => agents.get(agent)?.suspended_at === null;

/** Somebody whom the roster lists as suspended has no agents acting for them. */
const humanMayAct = ({ roster }: InForce, human: string): boolean =>
  roster?.roster.people.find(({ email }) => email === human)?.suspended !== true;
