import { withoutKeys } from '@/lib/authority/without-keys';
import type { AgentRow } from '@/lib/ports/credential-store';

import type { InForce } from '../in-force';
import type { Tightened } from './tightened-in-log';

/**
 * A switch stays thrown until the log says that it was released, and an agent stays suspended until it says that an owner restored it,
 * whatever their rows say. Who
 * registered an agent, and so may not approve what it asks for, is the log's to say too.
 */
export function withTightened(seen: InForce, tightened: Tightened): InForce {
  const { switches, revoked, keys, subjects, suspended, ended } = tightened;
  const more = seen.switches.filter((one) => !switches.some(({ scope, subject }) => scope === one.scope && subject === one.subject));
  // Without the revoked keys the next roster is written without them too, and a key that was revoked never comes back.
  const roster = seen.roster && { ...seen.roster, roster: withoutKeys(seen.roster.roster, keys) };
  const agents = new Map([...seen.agents].map(([id, agent]) => [id, asLogged(agent, tightened)]));
  return { ...seen, ...grantsLeft(seen, tightened), roster, agents, suspensions: tightened.agents, switches: [...switches, ...more], revoked, revokedKeys: keys, subjects, suspended, ended };
}

function asLogged(agent: AgentRow, { agents, registrants }: Tightened): AgentRow {
  const [suspended, registrant] = [agents.get(agent.id), registrants.get(agent.id)];
  return suspended === undefined && registrant === undefined ? agent : { ...agent, suspended_at: agent.suspended_at ?? suspended?.at ?? null, registered_by: registrant ?? agent.registered_by };
}

function grantsLeft(seen: InForce, { grants: counted }: Tightened): Pick<InForce, 'grants' | 'endedGrants'> {
  const grants = (seen.grants ?? []).flatMap((one) => {
    const known = counted.get(one.terms.grant);
    return known?.ended === true ? [] : [{ ...one, used: Math.max(one.used, known?.used ?? 0) }];
  });
  return { grants, endedGrants: new Set([...(seen.endedGrants ?? []), ...[...counted.values()].flatMap(({ grant, ended }) => (ended ? [grant] : []))]) };
}
