import { amountMoved } from '@/lib/context/amount-moved';
import { permitLabels } from '@/lib/context/permit-labels';

import { effectiveOf } from './effective-of';
import { append, instant, type Action, type World } from './world';

/** The action enters the session's context when its permit is issued, not when it runs. */
export function issuePermit(world: World, action: Action, voted: boolean): void {
  const { policy } = world;
  const effective = effectiveOf(action);
  const { facts } = effective;
  const amount = amountMoved(facts.amounts);
  append(action.session, {
    kind: 'permit', at: instant(world.now), action: action.id, tool: effective.tool, operation: effective.operation, effect: effective.entry.effect,
    ...(facts.effects.length > 1 ? { effects: facts.effects } : {}),
    decision: action.decision.decision,
    labels: permitLabels(effective, policy?.defaults.unclassified ?? 'RESTRICTED'),
    ...(facts.target === undefined ? {} : { target: facts.target }),
    recipients: facts.recipients,
    ...(amount === undefined ? {} : { amount }),
    parameters: effective.parameters,
  });
  const seconds = voted ? policy?.permits.after_approval_s : policy?.permits.ttl_s;
  action.permit = { expiresAt: world.now + (seconds ?? 0) * 1000, epoch: world.epoch, head: action.session.state.head, voted };
  action.state = 'permitted';
  action.waiting = null;
}
