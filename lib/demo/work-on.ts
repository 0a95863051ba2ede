import { resumeAction } from '@/lib/pep/sdk/follow-action';
import { isPassing } from '@/lib/pep/sdk/refusal';

import type { OpenAction, OpenWork } from './open-work';
import { pause } from './pause';
import { agentOf, playScenario, type Cast, type Watch } from './play-scenario';
import type { Attempt, Scenario, ScenarioMaker } from './scenario';
import { worldTool } from './world';

/** So many wait for people at most; then the agents pause. More would bury those who have to read them. */
export const mostWaiting = 10;

export type Pace = { readonly briskMs: number; readonly briskCount: number; readonly usualMs: number; readonly lookAgainMs: number };

/** Brisk until there is something to see, then as people work. */
export const humanPace: Pace = { briskMs: 1200, briskCount: 10, usualMs: 20_000, lookAgainMs: 3000 };

export type Work = {
  readonly cast: Cast;
  readonly work: OpenWork;
  readonly scenarios: readonly ScenarioMaker[];
  readonly pace: Pace;
  readonly signal: AbortSignal;
  readonly log: (line: string) => void;
};

/**
 * Plays the scenarios in their order, round after round, until the signal. What waits for people waits beside the rest; what
 * waited at the last end is taken up again.
 */
export async function workOn({ cast, work, scenarios, pace, signal, log }: Work): Promise<void> {
  const running = new Set<Promise<void>>();
  const beside = (task: Promise<void>): void => {
    running.add(task);
    void task.finally(() => running.delete(task));
  };
  for (const one of work.open()) beside(takeUp(one, cast, work, signal, log));
  for (let started = 0; !signal.aborted; started++) {
    if ((await countWaiting(cast, work)) >= mostWaiting) {
      await pause(pace.lookAgainMs, signal);
      continue;
    }
    const turn = work.next();
    const make = scenarios[turn % scenarios.length];
    if (!make) break;
    const scenario = make(Math.floor(turn / scenarios.length) + 1);
    work.began(turn + 1);
    const { rest, waiting } = begin(scenario, cast, work, signal, log);
    beside(rest);
    await waiting;
    await pause(started < pace.briskCount ? pace.briskMs : pace.usualMs, signal);
  }
  await Promise.all(running);
  await work.saved();
}

/** Asks the plane about each action that waited when last seen: people may have decided meanwhile. One that cannot be asked counts. */
async function countWaiting(cast: Cast, work: OpenWork): Promise<number> {
  const views = await Promise.all(work.open().map(({ action, agent }) => agentOf(cast, agent).readAction(action)));
  return views.filter((view) => !view.ok || view.value.state === 'held' || view.value.state === 'deferred').length;
}

/** Starts a scenario. `waiting` resolves once it waits for somebody or is over, so that the next one never overtakes the count. */
function begin(scenario: Scenario, cast: Cast, work: OpenWork, signal: AbortSignal, log: (line: string) => void): { readonly rest: Promise<void>; readonly waiting: Promise<void> } {
  let onWaiting = (): void => undefined;
  const waits = new Promise<void>((resolve) => {
    onWaiting = resolve;
  });
  const rest = play(scenario, cast, watching(work, log, onWaiting), signal, log);
  return { rest, waiting: Promise.race([waits, rest]) };
}

async function play(scenario: Scenario, cast: Cast, watch: Watch, signal: AbortSignal, log: (line: string) => void): Promise<void> {
  for (;;) {
    const refusal = await playScenario(scenario, cast, watch, signal);
    if (!refusal || signal.aborted) return;
    log(`${scenario.id}: ${refusal.code}: ${refusal.detail}`);
    if (!isPassing(refusal.code)) return;
    await cast.untilBack();
  }
}

function watching(work: OpenWork, log: (line: string) => void, onWaiting: () => void): Watch {
  const told = new Set<string>();
  return {
    seen: (scenario, attempt, session, view) => {
      const waits = view.state === 'held' || view.state === 'deferred';
      if (waits) work.waits({ action: view.id, session, does: attempt.does, agent: scenario.agent });
      const news = `${scenario.agent}: ${attempt.does} ${view.state} (${view.decision}, ${view.code})`;
      if (!told.has(view.id + news)) log(news);
      told.add(view.id + news);
      if (waits) onWaiting();
    },
    ended: (scenario: Scenario, attempt: Attempt, answer) => {
      if (answer.outcome !== 'denied') log(`${scenario.agent}: ${attempt.does} ran and ${answer.outcome}`);
      if (answer.action !== undefined && !(answer.outcome === 'denied' && answer.code === 'stopped')) work.done(answer.action);
    },
  };
}

async function takeUp(one: OpenAction, cast: Cast, work: OpenWork, signal: AbortSignal, log: (line: string) => void): Promise<void> {
  const options = { plane: agentOf(cast, one.agent), enforcement: cast.gate, signal };
  let answer = await resumeAction(worldTool(cast.world, one.does), options, one.action);
  while (answer.outcome === 'denied' && !answer.ran && isPassing(answer.code) && !signal.aborted) {
    await cast.untilBack();
    answer = await resumeAction(worldTool(cast.world, one.does), options, one.action);
  }
  if (signal.aborted) return;
  log(`${one.agent}: ${one.does}, taken up again, ${answer.outcome}`);
  work.done(one.action);
  const closed = await cast.desk.closeSession(one.session);
  if (!closed.ok) log(`${one.session} could not be closed: ${closed.error.detail}`);
}
