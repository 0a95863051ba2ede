import { statementPayload, statementTypes } from '@/lib/authority/owner-statements';
import type { TrustRoot } from '@/lib/authority/trust-root';
import type { PreparedRestoration, RestoreAgentInput } from '@/lib/contracts/console/agents';
import { parseEnvelope } from '@/lib/shared/dsse';
import type { PersonId } from '@/lib/shared/ids';
import { fail, ok, type Result } from '@/lib/shared/result';
import { isTimestamp } from '@/lib/shared/timestamp';
import { faultOfRestoration } from '@/lib/verify/agent-restoration';

import type { AgentSuspension } from '../in-force';
import type { ConsoleParts } from './console-parts';
import { toSign } from './prepare-set-up';
import { raiseEpoch } from './raise-epoch';

/** What an owner signs to restore an agent: exactly the suspension that stands now. Failures: `not_found`, `conflict`, and why nothing may be decided at all. */
export async function prepareRestoration(parts: ConsoleParts, agent: string): Promise<Result<PreparedRestoration>> {
  const standing = await suspendedNow(parts, agent);
  if (!standing.ok) return standing;
  const { at, receipt } = standing.value.suspension;
  const now = await parts.reads.now();
  if (!isTimestamp(now)) throw new Error('A time of ours is not written as a time.');
  const bytes = statementPayload('agent_restoration', parts.workspace, { agent, suspended: receipt }, now);
  return ok({ document: toSign({ payload_type: statementTypes.agent_restoration, bytes }), suspended_at: at });
}

/**
 * Restores an agent by an owner's signature over exactly the suspension that ends. Every process checks the signature itself, in the log: the
 * row that is set here restores nobody. Its credentials and grants stay revoked. Failures: `not_found`, `conflict`, `signature_invalid`.
 */
export async function restoreAgent(parts: ConsoleParts, by: PersonId, { agent, reason, envelope: text }: RestoreAgentInput): Promise<Result<{ readonly agent: string }>> {
  const envelope = parseEnvelope(text);
  if (!envelope.ok) return envelope;
  const newest = (await parts.credentials.list()).find(({ kind, subject }) => kind === 'agent' && subject === agent);
  const done = await parts.transactor.withHead(async (tx, { now }): Promise<Result<{ readonly agent: string }>> => {
    // Looked up behind the lock: of two owners who restore at once the second one finds it restored, and a suspension in between stands.
    const standing = await suspendedNow(parts, agent);
    if (!standing.ok) return standing;
    const { suspension, root } = standing.value;
    const fault = await faultOfRestoration({ subject: agent, workspace: parts.workspace, envelope: envelope.value }, suspension.receipt, root, parts.cryptography);
    if (fault !== undefined) return fail('signature_invalid', fault, { fix: 'Load the page and sign again.' });
    await parts.credentials.suspendAgent(tx, agent, null);
    const credential = newest?.id ?? parts.ids.make('credential');
    await parts.ledger.append(tx, [
      await parts.sign('credential_administered', now, { credential, kind: 'agent', subject: agent, change: 'restored', by: { kind: 'person', id: by }, reason, envelope: envelope.value }, { agent, person: by }),
    ]);
    await raiseEpoch(parts, tx);
    return ok({ agent });
  });
  if (done.ok) await parts.inForce.refresh();
  return done;
}

/** The suspension that stands, as its receipt tells it. */
async function suspendedNow(parts: ConsoleParts, agent: string): Promise<Result<{ readonly suspension: AgentSuspension; readonly root: TrustRoot }>> {
  const { agents, suspensions, root, refusal, denied } = await parts.inForce.refresh();
  if (!root) return fail(denied ?? 'trust_root_invalid', refusal?.detail ?? 'There is no trust root to check the signature with.');
  const row = agents.get(agent);
  if (!row) return fail('not_found', 'There is no such agent.');
  if (row.suspended_at === null) return fail('conflict', `Agent ${agent} is not suspended.`);
  const suspension = suspensions?.get(agent);
  return suspension ? ok({ suspension, root: root.root }) : fail('conflict', 'No receipt tells of this suspension: a row says so that this product did not write.', { fix: 'Run "countersign fsck" and look who wrote to the database.' });
}
