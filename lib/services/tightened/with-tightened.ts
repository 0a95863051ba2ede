import { withoutKeys } from '@/lib/authority/without-keys';

import type { InForce } from '../in-force';
import type { Tightened } from './tightened-in-log';

/** A switch stays thrown until the log says that it was released, and an agent that was suspended stays so whatever its row says. */
export function withTightened(seen: InForce, { switches, revoked, keys, subjects, agents: stopped, suspended, grants: counted }: Tightened): InForce {
  const more = seen.switches.filter((one) => !switches.some(({ scope, subject }) => scope === one.scope && subject === one.subject));
  // Without the revoked keys the next roster is written without them too, and a key that was revoked never comes back.
  const roster = seen.roster && { ...seen.roster, roster: withoutKeys(seen.roster.roster, keys) };
  const agents = stopped.size === 0 ? seen.agents : new Map([...seen.agents].map(([id, agent]) => [id, { ...agent, suspended_at: agent.suspended_at ?? stopped.get(id) ?? null }]));
  const grants = (seen.grants ?? []).flatMap((one) => {
    const known = counted.get(one.terms.grant);
    return known?.ended === true ? [] : [{ ...one, used: Math.max(one.used, known?.used ?? 0) }];
  });
  const endedGrants = new Set([...(seen.endedGrants ?? []), ...[...counted.values()].flatMap(({ grant, ended }) => (ended ? [grant] : []))]);
  return { ...seen, roster, agents, switches: [...switches, ...more], revoked, revokedKeys: keys, subjects, suspended, grants, endedGrants };
}
