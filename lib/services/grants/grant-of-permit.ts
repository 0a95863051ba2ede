import { mediate } from '@/lib/mediate/mediate';
import type { ActionRow } from '@/lib/ports/action-store';
import type { GrantUse } from '@/lib/ports/grant-store';

import type { OpenedAction } from '../action-content';
import type { InForce } from '../in-force';
import type { PlaneParts } from '../plane-parts';
import type { PermitTerms } from '../proven-permit';
import { needsGrant, standingGrants } from './covering-grants';

export type GrantOfPermit = { readonly needed: false } | { readonly needed: true; readonly use: GrantUse | null };

/**
 * The use of a grant that redeeming a permit would be. The permit names the grant; whether it still stands, covers exactly what would run
 * and has a use left is looked at now. A permit that names none gets none, also where the policy of now asks for one: `use` is null.
 */
export async function grantOfPermit(parts: PlaneParts, inForce: InForce, row: ActionRow, { grants = [] }: PermitTerms, effective: OpenedAction, now: string): Promise<GrantOfPermit> {
  const catalogue = inForce.policy?.compiled.catalogue;
  if (grants.length === 0 && !needsGrant(inForce, row)) return { needed: false };
  const action = catalogue && mediate(effective, catalogue);
  if (!action?.ok) return { needed: true, use: null };
  // A grant that the policy of now no longer asks for is used up all the same: the permit says so.
  const covering = await standingGrants(parts, inForce, row.agent, action.value, now);
  return { needed: true, use: covering.find(({ id }) => grants.includes(id))?.use ?? null };
}
