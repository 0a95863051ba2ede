import { credentialByTokenDigest } from '@/lib/authority/roster-lookup';
import type { AgentsView, CredentialView } from '@/lib/contracts/console/agents';
import type { CredentialRow } from '@/lib/ports/credential-store';
import type { InForce } from '@/lib/services/in-force';

import { switchViews } from './switch-views';

import type { ConsoleParts } from '../console-parts';

export async function agentsView(parts: ConsoleParts): Promise<AgentsView> {
  const [inForce, credentials, counts, now] = await Promise.all([
    parts.inForce.current(),
    parts.credentials.list(),
    parts.reads.agentCounts(1),
    parts.reads.now(),
  ]);
  const nameOf = (id: string) => inForce.roster?.roster.people.find((person) => person.id === id)?.name ?? id;
  const seen = new Map(counts.map((agent) => [agent.id, agent]));
  return {
    agents: [...inForce.agents.values()].map((agent) => {
      const { decided, held, denied } = seen.get(agent.id) ?? { decided: 0, held: 0, denied: 0 };
      return {
        id: agent.id,
        role: agent.role,
        scope: agent.scope,
        registered_by: nameOf(agent.registered_by),
        created_at: agent.created_at,
        suspended_at: agent.suspended_at,
        credentials: credentials.filter(({ kind, subject }) => kind === 'agent' && subject === agent.id).map((row) => credentialView(row, inForce, now)),
        last_hour: { decided, held, denied },
      };
    }),
    vouching: credentials.filter(({ kind }) => kind !== 'agent').map((row) => credentialView(row, inForce, now)),
    switches: switchViews(inForce),
  };
}

function credentialView(row: CredentialRow, { roster }: InForce, now: string): CredentialView {
  const { id, kind, subject, created_at, expires_at } = row;
  const entry = roster === null || kind === 'agent' ? undefined : credentialByTokenDigest(roster.roster, row.token_digest);
  const listed = kind === 'agent' || entry?.id === id;
  const state = row.revoked_at !== null ? 'revoked' : expires_at <= now ? 'expired' : listed ? 'live' : 'not_in_roster';
  return { id, kind, subject, state, created_at, expires_at, ...(entry?.id === id && { scope: entry.scope }) };
}
