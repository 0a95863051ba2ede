import type { ActionView, OutcomeBody, OutcomeView, RedeemView } from '@/lib/contracts/plane/actions';
import { bounds } from '@/lib/shared/bounds';

import { deniedBy, type Denied, type GuardOptions, type Ran, type Tool } from './guarded-tool';
import { pauseFor } from './pause-for';
import type { PlaneClient } from './plane-client';
import { isPassing, refuse, type Answered, type Refusal } from './refusal';
import { reportableOutput } from './reportable-output';

/** A report that did not get through may get through later; beyond, the plane writes down that the outcome is unknown. */
const reportAttempts = 4;

/**
 * Redeems, runs, reports. Between redeeming and reporting a crash leaves the action redeemed without an outcome, which the plane
 * records as unknown; it is never run twice, because a permit is used once.
 */
export async function runPermitted(tool: Tool, options: Pick<GuardOptions, 'plane' | 'enforcement' | 'pause'>, view: ActionView): Promise<Ran | Denied> {
  const gate = options.enforcement ?? options.plane;
  const { pause = pauseFor } = options;
  if (!view.permit) return deniedBy(refuse('permit_missing', 'There is no permit in the answer.').error, view);
  const redeemed = await gate.redeemPermit(view.permit.id);
  if (!redeemed.ok) return deniedBy(redeemed.error, view);
  const obstacle = obstacleOf(tool, view, redeemed.value);
  if (obstacle) {
    await report(gate, pause, view.id, { status: 'failed', error: `It was not run: ${obstacle.detail}` });
    return deniedBy(obstacle, view);
  }
  const outcome = await run(tool, redeemed.value);
  const reported = await report(gate, pause, view.id, outcome);
  if (reported.ok) {
    return { outcome: outcome.status === 'succeeded' ? 'succeeded' : 'failed', action: view.id, executed: redeemed.value.execute, ...reported.value };
  }
  if (!isPassing(reported.error.code) && reported.error.code !== 'outcome_already_reported') {
    // The output itself is refused: that it ran is still to be known.
    await report(gate, pause, view.id, { status: outcome.status, error: `The output could not be reported: ${reported.error.code}.` });
  }
  return deniedBy(refuse('outcome_unreported', reported.error.detail, reported.error).error, view, true);
}

function obstacleOf(tool: Tool, view: ActionView, { action, execute, obligations }: RedeemView): Refusal | null {
  if (action !== view.id) return refuse('plane_unreadable', 'The redeemed permit is another action’s.').error;
  if (execute.tool !== tool.tool || execute.operation !== tool.operation) {
    return refuse('not_this_tool', `${execute.tool}.${execute.operation} is permitted, and this is ${tool.tool}.${tool.operation}.`).error;
  }
  const unmet = obligations.find(({ kind }) => tool.honours?.includes(kind) !== true);
  return unmet ? refuse('obligation_unmet', `This tool cannot honour ${unmet.kind}.`).error : null;
}

async function run(tool: Tool, permitted: RedeemView): Promise<OutcomeBody> {
  try {
    return { status: 'succeeded', output: reportableOutput(await tool.run(permitted.execute.parameters, permitted)) };
  } catch (cause) {
    const error = (cause instanceof Error ? `${cause.name}: ${cause.message}` : String(cause)).toWellFormed().slice(0, bounds.reasonText - 1).toWellFormed();
    // Also as output: an error's text comes from outside as well, and reaches the agent only through the guards.
    return { status: 'failed', output: error, error };
  }
}

async function report(gate: PlaneClient, pause: (ms: number) => Promise<void>, action: string, outcome: OutcomeBody): Answered<OutcomeView> {
  let reported = await gate.reportOutcome(action, outcome);
  for (let attempt = 1; attempt < reportAttempts && !reported.ok && isPassing(reported.error.code); attempt++) {
    await pause(250 * 2 ** attempt);
    reported = await gate.reportOutcome(action, outcome);
  }
  return reported;
}
