import type { Decision } from '@/lib/engine/decision';
import type { CanonicalAction } from '@/lib/mediate/action';
import { asJson } from '@/lib/shared/as-json';
import { canonicalJson } from '@/lib/shared/canonical-json';
import type { ErrorCode } from '@/lib/shared/error-codes';

import type { Action, Session, World } from './world';

export const isWaiting = ({ state }: Action): boolean => state === 'held' || state === 'deferred';

/** Where an action stands among the others of its session. */
export type Place = {
  /** What has to end first. */
  readonly behind: readonly Action[];
  /** Why it may not wait there: what it depends on came to nothing, or too many would wait in a row. */
  readonly denied: ErrorCode | null;
};

/** Behind what it depends on until that has succeeded, and behind what waits already and acts on the same thing. */
export function placeAmong(world: World, session: Session, action: CanonicalAction, dependsOn: readonly string[]): Place {
  const named = dependsOn.map((id) => world.actions.get(id));
  const known = named.flatMap((one) => (one?.session === session ? [one] : []));
  const things = thingsOf(action);
  const before = [...world.actions.values()].filter((one) => one.session === session && isWaiting(one) && thingsOf(one.asked).some((thing) => things.includes(thing)));
  const behind = [...new Set([...known.filter(isUnfinished), ...before])];
  const isBroken = known.length < named.length || known.some((one) => !isUnfinished(one) && one.state !== 'succeeded');
  const isTooDeep = behind.some((one) => depthOf(one) >= (world.policy?.deferrals.depth ?? 0));
  return { behind, denied: isBroken || isTooDeep ? 'pipeline_stopped' : null };
}

const isUnfinished = (action: Action): boolean => isWaiting(action) || action.state === 'permitted' || action.state === 'redeemed';

/** How many wait in a row, this one included; none where nothing waits. */
const depthOf = (action: Action): number => (isWaiting(action) ? 1 + Math.max(0, ...action.behind.map(depthOf)) : 0);

/** What an action acts on, without regard to case: two names of one thing must not pass each other. */
const thingsOf = ({ tool, facts }: CanonicalAction): readonly string[] =>
  [...(facts.target === undefined ? [] : [facts.target]), ...facts.tables.map((table) => `${tool}:${table}`), ...facts.paths.map((path) => `files:${path}`)].map((thing) =>
    thing.toLowerCase(),
  );

/** What a person denied is not asked again in the session until the user says something new. */
export function isRepeated(world: World, session: Session, action: CanonicalAction, decision: Decision): boolean {
  if (decision.decision === 'DENY') return false;
  const lastWords = session.chain.findLast(({ entry }) => entry.kind === 'request')?.seq ?? 0;
  return [...world.actions.values()].some(
    ({ session: where, asked, deniedAt }) =>
      where === session && deniedAt !== null && deniedAt >= lastWords && asked.tool === action.tool && asked.operation === action.operation && actsOn(asked) === actsOn(action),
  );
}

const actsOn = ({ facts: { target, recipients, paths, urls, programs, tables, amounts } }: CanonicalAction): string =>
  canonicalJson(asJson({ target: target ?? null, recipients, paths, urls: urls.map(({ href }) => href), programs, tables, amounts }));

export function isTooMuch({ actions, policy, now }: World, session: Session, decision: Decision): boolean {
  if (!policy || (decision.decision !== 'STEP_UP' && decision.decision !== 'DEFER')) return false;
  const { limits } = policy;
  const all = [...actions.values()];
  const waiting = all.filter(isWaiting);
  return (
    waiting.filter((one) => one.session === session).length >= limits.held_per_session ||
    waiting.filter((one) => one.session.agent === session.agent).length >= limits.held_per_agent ||
    waiting.filter((one) => one.session.human === session.human).length >= limits.held_per_human ||
    all.filter((one) => one.session.agent === session.agent && one.waiting !== null && one.waiting.since > now - 60_000).length >= limits.new_per_minute
  );
}
