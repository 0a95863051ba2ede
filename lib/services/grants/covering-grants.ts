import type { CanonicalAction } from '@/lib/mediate/action';
import { coversAction } from '@/lib/policy/grant-scope';
import type { GrantRow, GrantStore, GrantUse } from '@/lib/ports/grant-store';
import type { GrantId } from '@/lib/shared/ids';

import type { InForce } from '../in-force';
import type { LoggedGrant } from './grants-in-log';

type Parts = { readonly stores: { readonly grants: GrantStore }; readonly authority: { readonly usesOfGrants: () => Promise<ReadonlyMap<GrantId, number>> } };

export const needsGrant = (inForce: InForce, { tool, operation }: Pick<CanonicalAction, 'tool' | 'operation'>): boolean =>
  inForce.policy?.compiled.catalogue.entries.get(`${tool}.${operation}`)?.grant === true;

/** What `standingGrants` finds, for an operation that needs a grant; nothing is looked up for any other. */
export const coveringGrants = async (parts: Parts, inForce: InForce, agent: string, action: CanonicalAction, now: string): Promise<readonly CoveringGrant[]> =>
  needsGrant(inForce, action) ? await standingGrants(parts, inForce, agent, action, now) : [];

/** Grants of the agent that cover the action now: signed, not ended, not run out, with a use left by log and row alike. */
export async function standingGrants(parts: Parts, inForce: InForce, agent: string, action: CanonicalAction, now: string): Promise<readonly CoveringGrant[]> {
  const policy = inForce.policy?.compiled;
  if (!policy) return [];
  const candidates = (inForce.grants ?? []).filter(({ terms }) => terms.agent === agent && now < terms.expires_at && coversAction(terms, action, policy));
  if (candidates.length === 0) return [];
  const [rows, logged] = [await parts.stores.grants.find(candidates.map(({ terms }) => terms.grant)), await parts.authority.usesOfGrants()];
  return candidates.flatMap((grant) => {
    const use = nextUse(grant, rows.get(grant.terms.grant), logged.get(grant.terms.grant) ?? 0);
    return use ? [{ id: grant.terms.grant, terms: grant.terms, use }] : [];
  });
}

export type CoveringGrant = { readonly id: GrantId; readonly terms: LoggedGrant['terms']; readonly use: GrantUse };

/** Row and log each can only make it less: the higher count is believed, and a row that is gone or has ended gives nothing. */
function nextUse({ terms, used }: LoggedGrant, row: GrantRow | undefined, logged: number): GrantUse | null {
  if (row?.ended_at !== null || row.issued_at === null) return null;
  const use = Math.max(row.used, used, logged) + 1;
  return use > terms.uses ? null : { id: terms.grant, seen: row.used, use, expires_at: terms.expires_at };
}
