import { neededGrantSigners, readGrant } from '@/lib/authority/verify-grant';
import { signedByOwners } from '@/lib/authority/signed-by-owners';
import type { GrantsView, GrantView } from '@/lib/contracts/console/grants';
import type { GrantRow } from '@/lib/ports/grant-store';
import { envelopePayload, parseEnvelope } from '@/lib/shared/dsse';
import { fromUtf8 } from '@/lib/shared/encoding';
import type { InForce } from '@/lib/services/in-force';

import type { ConsoleParts } from '../console/console-parts';

const mostShown = 200;

/** Grants, newest first, each as far as signed receipts prove it, and what a new one could give. */
export async function grantsView(parts: ConsoleParts): Promise<GrantsView> {
  const [inForce, rows, now] = await Promise.all([parts.inForce.current(), parts.grants.list(mostShown), parts.reads.now()]);
  const catalogue = inForce.policy?.compiled.catalogue;
  return {
    grants: await Promise.all(rows.map((row) => grantView(parts, row, inForce, now))),
    needed_signers: inForce.root ? neededGrantSigners(inForce.root.root) : 1,
    agents: [...inForce.agents.values()].filter(({ suspended_at }) => suspended_at === null).map(({ id }) => id),
    operations: [...(catalogue?.entries.values() ?? [])]
      .map(({ tool, operation, parameters, grant }) => ({ tool, operation, parameters: Object.keys(parameters), needs: grant }))
      .sort((a, b) => Number(b.needs) - Number(a.needs) || (`${a.tool}.${a.operation}` < `${b.tool}.${b.operation}` ? -1 : 1)),
  };
}

/** The terms are those that owners signed; the row only finds them. */
async function grantView({ cryptography }: ConsoleParts, row: GrantRow, inForce: InForce, now: string): Promise<GrantView> {
  const nameOf = (id: string) => inForce.roster?.roster.people.find((person) => person.id === id)?.name ?? id;
  const envelope = parseEnvelope(row.envelope);
  const signed = envelope.ok ? readGrant(envelope.value, cryptography) : envelope;
  const terms = signed.ok ? signed.value.terms : { ...row, grant: row.id, scope: null, reason: undefined };
  const logged = inForce.grants?.find((one) => one.terms.grant === row.id);
  const used = Math.max(row.used, logged?.used ?? 0);
  const signers = envelope.ok && inForce.root ? (await signedByOwners(envelope.value, inForce.root.root, 'policy', cryptography.verify)).people : [];
  const bytes = envelope.ok ? envelopePayload(envelope.value) : undefined;
  return {
    id: row.id, agent: terms.agent, tool: terms.tool, operation: terms.operation, scope: terms.scope, reason: terms.reason ?? null, uses: terms.uses, used,
    expires_at: terms.expires_at, created_at: row.created_at, created_by: nameOf(row.created_by), signers: signers.map(nameOf),
    state: stateOf(row, { expires_at: terms.expires_at, uses: terms.uses, used, proven: logged !== undefined, suspended: inForce.agents.get(terms.agent)?.suspended_at !== null }, now),
    document: envelope.ok && bytes ? { payload_type: envelope.value.payloadType, text: fromUtf8(bytes) ?? '' } : null,
  };
}

type Facts = { readonly expires_at: string; readonly uses: number; readonly used: number; readonly proven: boolean; readonly suspended: boolean };

function stateOf(row: GrantRow, { expires_at, uses, used, proven, suspended }: Facts, now: string): GrantView['state'] {
  if (row.ended_at !== null) return 'ended';
  if (expires_at <= now) return 'expired';
  if (row.issued_at === null) return 'waiting';
  if (!proven) return 'unproven';
  if (used >= uses) return 'used_up';
  return suspended ? 'suspended' : 'standing';
}
