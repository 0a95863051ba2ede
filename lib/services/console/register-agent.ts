import type { RegisterAgentInput, RegisteredAgent } from '@/lib/contracts/console/agents';
import type { PersonId } from '@/lib/shared/ids';
import { digestOf, utf8 } from '@/lib/shared/encoding';
import { fail, ok, type Result } from '@/lib/shared/result';

import type { ConsoleParts } from './console-parts';
import { raiseEpoch } from './raise-epoch';

/** Credentials that one agent may have live, so that rotating overlaps and nothing piles up. */
const mostLive = 5;

/**
 * Registers an agent, or gives a registered one another credential; the token is in the answer and nowhere else. Whoever
 * registers it may not approve for it. Failures: `conflict` (suspended, or registered with another role or scope).
 */
export async function registerAgent(parts: ConsoleParts, by: PersonId, input: RegisterAgentInput): Promise<Result<RegisteredAgent>> {
  const token = parts.ids.token('csa');
  // Read outside the lock, where it could wait for a connection that another waiter holds; one too many is no harm.
  const before = (await parts.credentials.list()).filter(({ kind, subject }) => kind === 'agent' && subject === input.agent);
  // The log says it too, where a row was set back. A suspension in between is in the log of the next look: the credential opens nothing then.
  const suspended = ((await parts.inForce.refresh()).agents.get(input.agent)?.suspended_at ?? null) !== null;
  const done = await parts.transactor.withHead(async (tx, { now }): Promise<Result<RegisteredAgent>> => {
    const known = (await parts.credentials.agents([input.agent], tx)).get(input.agent);
    if (suspended || (known && known.suspended_at !== null)) return fail('conflict', `Agent ${input.agent} is suspended.`, { fix: 'An owner restores it under Agents, or register another one under a new name.' });
    const same = known && known.role === input.role && known.scope.join(' ') === input.scope.join(' ');
    if (known && !same) return fail('conflict', `Agent ${input.agent} is registered with another role or scope.`, { fix: 'Register it under a new name.' });
    if (!known) await parts.credentials.addAgent(tx, { id: input.agent, role: input.role, scope: input.scope, registered_by: by, suspended_at: null, created_at: now });
    const live = before.filter(({ revoked_at, expires_at }) => revoked_at === null && expires_at > now);
    if (live.length >= mostLive) return fail('conflict', `Agent ${input.agent} has ${live.length} live credentials.`, { fix: 'Revoke one first.' });
    const expires_at = new Date(Date.parse(now) + input.expires_in_days * 86_400_000).toISOString();
    const credential = parts.ids.make('credential');
    await parts.credentials.add(tx, {
      id: credential, kind: 'agent', subject: input.agent, token_digest: digestOf(parts.cryptography.sha256, utf8(token)), scopes: input.explain ? ['explain'] : [],
      created_by: by, created_at: now, expires_at, revoked_at: null,
    });
    const receipt = await parts.sign(
      'credential_administered',
      now,
      { credential, kind: 'agent', subject: input.agent, change: 'created', by: { kind: 'person', id: by } },
      { agent: input.agent, person: by },
    );
    await parts.ledger.append(tx, [receipt]);
    await raiseEpoch(parts, tx);
    return ok({ agent: input.agent, credential, token, expires_at });
  });
  if (done.ok) await parts.inForce.refresh();
  return done;
}
