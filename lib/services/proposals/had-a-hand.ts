import type { InForce } from '@/lib/services/in-force';
import { provenReceipt } from '@/lib/services/proven-receipt';
import { isId, type PersonId, type SessionId } from '@/lib/shared/ids';
import { fail, ok, type Result } from '@/lib/shared/result';

import type { ProposalParts } from './proposal-parts';

/** Credentials made for one agent that are looked back over at most. */
const mostCredentials = 200;

/**
 * Whose signatures do not count on an agent's proposal where two or more are asked for: the human that it acts for, and whoever made a
 * credential for it, as the log says. Failures: `not_found` (no such session of this agent), `unavailable`.
 */
export async function hadAHand(parts: Pick<ProposalParts, 'log' | 'cryptography' | 'sessions'>, { root, roster, agents }: InForce, agent: string, session: SessionId | undefined): Promise<Result<readonly PersonId[]>> {
  if (!root || !roster) return fail('unavailable', 'No trust root and roster are in force.');
  const people = new Set<string>();
  const { rows } = await parts.log.search({ kind: 'credential_administered', agent }, { limit: mostCredentials });
  for (const row of rows) {
    const body = await provenReceipt(row, root.root, parts.cryptography);
    if (body.ok && body.value.kind === 'credential_administered' && body.value.predicate.change === 'created' && body.value.predicate.by.kind === 'person') people.add(body.value.predicate.by.id);
  }
  const registrar = agents.get(agent)?.registered_by;
  if (registrar !== undefined) people.add(registrar);
  if (session !== undefined) {
    const row = (await parts.sessions.find([session])).get(session);
    if (row?.agent !== agent) return fail('not_found', 'There is no such session.');
    const human = roster.roster.people.find(({ email }) => email === row.human);
    if (human) people.add(human.id);
  }
  return ok([...people].filter((id): id is PersonId => isId('person', id)).slice(0, 20));
}
