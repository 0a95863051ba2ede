import type { Identity } from '@/lib/context/snapshot';

import type { Session, World } from './world';

/** Who acts, on five levels, none of them from what the agent says: human, orchestrator, agent, session, role with scope. */
export function identityOf({ cast }: World, { id, human, agent, parent }: Session): Identity {
  const known = cast.agents.find((one) => one.id === agent);
  return { human, service: cast.orchestrator, agent, session: id, role: known?.role ?? 'unregistered', scope: known?.scope ?? [], delegation: parent ? ancestorsOf(parent) : [] };
}

/** Nearest first. */
const ancestorsOf = ({ id, parent }: Session): Identity['delegation'] => (parent ? [id, ...ancestorsOf(parent)] : [id]);
