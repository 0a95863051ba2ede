import type { ActionView } from '@/lib/contracts/plane/actions';
import { resumeAction } from '@/lib/pep/sdk/follow-action';
import { guard } from '@/lib/pep/sdk/guard';
import type { Denied, GuardOptions, Ran } from '@/lib/pep/sdk/guarded-tool';
import type { PlaneClient } from '@/lib/pep/sdk/plane-client';
import { isPassing, type Refusal } from '@/lib/pep/sdk/refusal';

import type { DemoAgent } from './demo-agents';
import { demoRequester } from './demo-people';
import { pause } from './pause';
import type { Attempt, Scenario } from './scenario';
import { worldTool, type World } from './world';

/** Who takes part: each agent, the desk that records requests and facts, the gate through which tools run. */
export type Cast = {
  readonly agents: ReadonlyMap<DemoAgent, PlaneClient>;
  readonly desk: PlaneClient;
  readonly gate: PlaneClient;
  readonly world: World;
  /** Resolves once the plane can be asked again. */
  readonly untilBack: () => Promise<void>;
};

export type Watch = {
  readonly seen: (scenario: Scenario, attempt: Attempt, session: string, view: ActionView) => void;
  readonly ended: (scenario: Scenario, attempt: Attempt, answer: Ran | Denied) => void;
};

/**
 * One request of the user from its session's opening to its end. Resolves with a refusal when the plane could not be asked, so
 * that nothing of it was decided and it may be played again.
 */
export async function playScenario(scenario: Scenario, cast: Cast, watch: Watch, signal: AbortSignal): Promise<Refusal | null> {
  const { desk } = cast;
  const opened = await desk.openSession({ human: demoRequester, request: scenario.request, agent: scenario.agent });
  if (!opened.ok) return opened.error;
  const session = opened.value.id;
  if (scenario.known) {
    const supplied = await desk.supplyContext(session, scenario.known);
    if (!supplied.ok) return supplied.error;
  }
  for (const attempt of scenario.attempts) {
    if (signal.aborted) return null;
    const answer = await tryAttempt(scenario, attempt, session, cast, watch, signal);
    watch.ended(scenario, attempt, answer);
    if (answer.outcome === 'denied' && answer.code === 'stopped') return null;
    if (answer.outcome === 'denied' && answer.action === undefined && isPassing(answer.code)) return { code: answer.code, detail: answer.reason };
  }
  const closed = await desk.closeSession(session);
  return closed.ok ? null : closed.error;
}

async function tryAttempt(scenario: Scenario, attempt: Attempt, session: string, cast: Cast, watch: Watch, signal: AbortSignal): Promise<Ran | Denied> {
  const plane = agentOf(cast, scenario.agent);
  const tool = worldTool(cast.world, attempt.does);
  const over = new AbortController();
  let answering: Promise<void> | undefined;
  const options: GuardOptions = {
    plane,
    enforcement: cast.gate,
    session,
    signal,
    onSeen: (view) => {
      watch.seen(scenario, attempt, session, view);
      if (view.state === 'deferred') answering ??= answerLater(attempt, session, cast, AbortSignal.any([over.signal, signal]));
    },
  };
  let answer = await guard(tool, options)(attempt.parameters, { reason: attempt.reason });
  // A plane that went away leaves the action as it is: held actions are still held when it comes back.
  while (answer.outcome === 'denied' && !answer.ran && answer.action !== undefined && isPassing(answer.code) && !signal.aborted) {
    await cast.untilBack();
    answer = await resumeAction(tool, options, answer.action);
  }
  over.abort();
  await answering;
  return answer;
}

/** The desk finds out what is missing. Nothing is supplied once the action is over. */
async function answerLater({ answer }: Attempt, session: string, { desk, untilBack }: Cast, signal: AbortSignal): Promise<void> {
  if (!answer) return;
  await pause(answer.afterMs, signal);
  while (!signal.aborted) {
    const supplied = await desk.supplyContext(session, answer.attributes);
    if (supplied.ok || !isPassing(supplied.error.code)) return;
    await untilBack();
  }
}

export function agentOf({ agents }: Pick<Cast, 'agents'>, id: DemoAgent): PlaneClient {
  const agent = agents.get(id);
  if (!agent) throw new Error(`The demo has no agent ${id}.`);
  return agent;
}
