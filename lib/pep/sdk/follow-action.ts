import type { ActionView } from '@/lib/contracts/plane/actions';
import { ok } from '@/lib/shared/result';

import { deniedBy, type Denied, type GuardOptions, type Ran, type Tool } from './guarded-tool';
import { pauseFor } from './pause-for';
import { refuse, type Answered } from './refusal';
import { runPermitted } from './run-permitted';

type FollowOptions = Omit<GuardOptions, 'session'>;

/** A round that comes back sooner than this without news is no long poll; without a pause it would become a flood. */
const shortRoundMs = 500;
/** How often one action may be changed before it is given up. */
const mostEdits = 100;

/** Takes an action that was proposed to its end: waits, then runs it when it is permitted. */
export async function followAction(tool: Tool, options: FollowOptions, proposed: ActionView, edits = 0): Promise<Ran | Denied> {
  const settled = await untilSettled(options, proposed);
  if (!settled.ok) return deniedBy(settled.error, proposed);
  const view = settled.value;
  // A person changed what may be done: what comes of that is what may be run, and its permit says with which arguments.
  if (view.state === 'superseded' && view.superseded_by !== undefined && edits < mostEdits) {
    const next = await options.plane.readAction(view.superseded_by);
    if (!next.ok) return deniedBy(next.error, view);
    return next.value.id === view.superseded_by ? await followAction(tool, options, next.value, edits + 1) : deniedBy(refuse('plane_unreadable', 'The answer is about another action.').error, view);
  }
  if (view.state === 'permitted') {
    if (view.decision === 'DENY') return deniedBy(refuse('plane_unreadable', 'The answer permits what it denies.').error, view);
    return await runPermitted(tool, options, view);
  }
  return {
    outcome: 'denied',
    // Who else redeemed it has run it: a permit is used once.
    code: view.state === 'denied' || view.state === 'expired' || view.state === 'withdrawn' || view.state === 'superseded' ? view.code : 'permit_used',
    reason: view.reason,
    ...(view.guidance === undefined ? {} : { guidance: view.guidance }),
    action: view.id,
    decision: view.decision,
    ran: false,
  };
}

/** The same for an action known by its id alone, as after a restart of the agent's process. */
export async function resumeAction(tool: Tool, options: FollowOptions, action: string): Promise<Ran | Denied> {
  const view = await options.plane.readAction(action);
  return view.ok ? await followAction(tool, options, view.value) : deniedBy(view.error);
}

async function untilSettled({ plane, signal, onSeen, roundSeconds = 50, pause = pauseFor }: FollowOptions, proposed: ActionView): Answered<ActionView> {
  let view = proposed;
  onSeen?.(view);
  while (view.state === 'held' || view.state === 'deferred') {
    const began = performance.now();
    const round = await plane.waitForAction(view.id, roundSeconds, signal ? { signal } : {});
    if (!round.ok) return round;
    if (round.value.id !== view.id) return refuse('plane_unreadable', 'The answer is about another action.');
    if (round.value.state === view.state && performance.now() - began < shortRoundMs) await pause(shortRoundMs);
    if (signal?.aborted === true) return refuse('stopped', 'The call was given up.');
    view = round.value;
    onSeen?.(view);
  }
  return ok(view);
}
