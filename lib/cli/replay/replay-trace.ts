import type { Attribute, PlaneClient } from '@/lib/pep/sdk/plane-client';
import type { ActionView } from '@/lib/contracts/plane/actions';
import { bounds } from '@/lib/shared/bounds';

import { factsAbout } from './facts-about';
import type { KnownWorld } from './known-world';
import type { RecordedCall, RecordedTrace } from './recorded-trace';
import type { ReplayedCall, ReplayedTrace } from './replayed-trace';

/** Everybody who speaks with the plane while a trace runs, each with a credential of its own. */
export type Cast = {
  readonly human: string;
  readonly agent: { readonly id: string; readonly client: PlaneClient };
  readonly orchestrator: PlaneClient;
  readonly enforcementPoint: PlaneClient;
  /** Null: nobody supplies facts. */
  readonly informationPoint: PlaneClient | null;
};

/**
 * Sends one trace through the plane as its agent did, whatever was decided before: a call that was not permitted does not run
 * and shows nothing, and the next one is proposed all the same. Throws when no session can be had, since a trace without one
 * says nothing of the policy. `recipients` are parameters of taken tools that name who gets something. The session is closed at the end, so that nothing of it stays held.
 */
export async function replayTrace(trace: RecordedTrace, cast: Cast, world: KnownWorld | null, recipients?: ReadonlySet<string>): Promise<ReplayedTrace> {
  const opened = await cast.orchestrator.openSession({ human: cast.human, agent: cast.agent.id, request: trace.request });
  if (!opened.ok) throw new Error(`${trace.id}: no session could be opened (${opened.error.code}: ${opened.error.detail})`, { cause: opened.error.cause });
  const session = opened.value.id;
  const calls: ReplayedCall[] = [];
  const surprises: string[] = [];
  const supplied = new Set<string>();
  for (const [at, call] of trace.calls.entries()) {
    const surprise = (said: string): void => void surprises.push(`${trace.id} call ${String(at)} ${trace.suite}.${call.tool}: ${said}`);
    if (cast.informationPoint && world) await supply(cast.informationPoint, session, factsAbout(trace.suite, call, world, recipients), supplied, surprise);
    const proposed = await cast.agent.client.propose({ session, tool: trace.suite, operation: call.tool, parameters: call.parameters });
    if (!proposed.ok) {
      surprise(`${proposed.error.code}: ${proposed.error.detail}`);
      calls.push({ tool: call.tool, decision: 'DENY', code: proposed.error.code, reason: proposed.error.detail });
      continue;
    }
    calls.push(await run(cast.enforcementPoint, proposed.value, call, surprise));
  }
  const closed = await cast.orchestrator.closeSession(session);
  if (!closed.ok) surprises.push(`${trace.id}: the session could not be closed (${closed.error.code}: ${closed.error.detail})`);
  return { trace, calls, surprises };
}

async function supply(
  point: PlaneClient,
  session: string,
  facts: readonly Attribute[],
  supplied: Set<string>,
  surprise: (said: string) => void,
): Promise<void> {
  const news = facts.filter(({ subject, name }) => !supplied.has(`${name} ${subject}`));
  if (news.length === 0) return;
  const answer = await point.supplyContext(session, news);
  if (answer.ok) for (const { subject, name } of news) supplied.add(`${name} ${subject}`);
  else surprise(`known facts were not taken (${answer.error.code}: ${answer.error.detail})`);
}

/** Redeems and reports as the enforcement point when there is a permit. A permit that turns out void is what was decided. */
async function run(point: PlaneClient, action: ActionView, call: RecordedCall, surprise: (said: string) => void): Promise<ReplayedCall> {
  const decided = { tool: call.tool, decision: action.decision, code: action.code, reason: action.reason };
  if (action.permit === undefined) return decided;
  const redeemed = await point.redeemPermit(action.permit.id);
  if (!redeemed.ok) {
    surprise(`the permit could not be redeemed (${redeemed.error.code}: ${redeemed.error.detail})`);
    return { ...decided, decision: 'DENY', code: redeemed.error.code, reason: redeemed.error.detail };
  }
  const reported = await point.reportOutcome(action.id, {
    status: call.error === undefined ? 'succeeded' : 'failed',
    ...(call.error === undefined ? {} : { error: call.error.slice(0, bounds.reasonText) }),
    ...(call.output === undefined ? {} : { output: call.output }),
  });
  // Without it the session has not seen what the agent saw, so later decisions are not the recorded situation's.
  if (!reported.ok) surprise(`the outcome could not be reported (${reported.error.code}: ${reported.error.detail})`);
  return decided;
}
