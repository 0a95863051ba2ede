import { mediate } from '@/lib/mediate/mediate';

import type { Call, Reply } from '../call';
import { ownCatalogue } from '../own-policy';
import { decideInWorld } from './decide-in-world';
import { closed, takeDecision } from './take-decision';
import { viewOf } from './view-of';
import { isRepeated, isTooMuch, placeAmong } from './waiting';
import { newId, type Action, type World } from './world';

type Proposal = Extract<Call, { call: 'act'; do: 'propose' }>;

/** Decides an action and puts it where it belongs. Refused: not this agent's session, or no action that the catalogue knows. */
export function propose(world: World, { session: where, agent, tool, operation, parameters, depends_on }: Proposal): Reply {
  const session = world.sessions.get(where);
  if (session?.agent !== agent) return { refused: 'not_found' };
  const asked = mediate({ tool, operation, parameters }, world.policy?.catalogue ?? ownCatalogue);
  if (!asked.ok) return { refused: asked.error.code };
  const id = newId(world, 'action');
  const { behind, denied } = placeAmong(world, session, asked.value, depends_on);
  const { decision, identity } = decideInWorld(world, session, { id, asked: asked.value, behind });
  const action: Action = {
    id, session, identity, decision, behind, asked: asked.value, dependsOn: depends_on, state: 'denied', code: decision.code, deniedAt: null,
    permit: null, waiting: null, approvals: new Set(), executions: 0,
  };
  const refusal = denied ?? (isRepeated(world, session, asked.value, decision) ? 'repeated_after_denial' : isTooMuch(world, session, decision) ? 'too_many_held' : null);
  takeDecision(world, action, refusal === null || decision.decision === 'DENY' ? decision : closed(decision, refusal));
  world.actions.set(id, action);
  return viewOf(action);
}
