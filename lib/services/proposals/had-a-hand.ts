import type { InForce } from '@/lib/services/in-force';
import { everyReceipt } from '@/lib/services/every-receipt';
import { provenReceipt } from '@/lib/services/proven-receipt';
import { isId, type PersonId, type SessionId } from '@/lib/shared/ids';
import { fail, ok, type Result } from '@/lib/shared/result';

import type { ProposalParts } from './proposal-parts';

/**
 * Whose signatures do not count on an agent's proposal where two or more are asked for: the human that it acts for, and whoever made a
 * credential for it, as the log says. Failures: `not_found` (no such session of this agent), `unavailable`, `ledger_broken`.
 */
export async function hadAHand(parts: Pick<ProposalParts, 'log' | 'cryptography'>, { root, roster, agents }: InForce, agent: string, session: SessionId | undefined): Promise<Result<readonly PersonId[]>> {
  if (!root || !roster) return fail('unavailable', 'No trust root and roster are in force.');
  const people = new Set<string>();
  for await (const row of everyReceipt(parts.log, { kind: 'credential_administered', agent })) {
    const body = await provenReceipt(row, root.root, parts.cryptography);
    if (body.ok && body.value.kind === 'credential_administered' && body.value.predicate.change === 'created' && body.value.predicate.by.kind === 'person') people.add(body.value.predicate.by.id);
  }
  const registrar = agents.get(agent)?.registered_by;
  if (registrar !== undefined) people.add(registrar);
  if (session !== undefined) {
    const [opened] = (await parts.log.search({ session, kind: 'session_opened' }, { limit: 1 })).rows;
    const opening = opened && (await provenReceipt(opened, root.root, parts.cryptography));
    if (opening && !opening.ok) return opening;
    // The row could name somebody else as the human whom the agent acts for, so that they may sign.
    const stated = opening?.value.kind === 'session_opened' ? opening.value.predicate : undefined;
    if (stated?.session !== session || stated.agent !== agent) return fail('not_found', 'There is no such session.');
    const human = roster.roster.people.find(({ email }) => email === stated.human);
    if (human) people.add(human.id);
  }
  return ok([...people].filter((id): id is PersonId => isId('person', id)).slice(0, 20));
}
