import type { GrantStatement } from '@/lib/authority/owner-statements';
import { narrowsGrant } from '@/lib/policy/narrows-grant';
import { parseGrantScope } from '@/lib/policy/grant-scope';
import { fail, ok, type Result } from '@/lib/shared/result';

import type { InForce } from '../in-force';

/** How long a grant lasts at most. */
const longestDays = 366;

/**
 * Whether a grant can be given like this now: its agent is registered and at work, tool, operation and arguments are the catalogue's, it ends
 * after now and within a year; and where it narrows another, it gives nothing that the other does not. Failures: `grant_invalid`,
 * `conflict` (given before, by the log), `policy_unsigned`.
 */
export function checkGrantTerms(terms: GrantStatement, inForce: InForce, now: string): Result<null> {
  const { grant, replaces } = terms;
  const policy = inForce.denied === null ? inForce.policy?.compiled : undefined;
  if (!policy) return fail('policy_unsigned', 'Without a policy in force nothing says what a grant would give.');
  // An owner's signature stays good for ever; what it gave is given once, also where somebody took the row away.
  if (inForce.endedGrants?.has(grant) === true || inForce.grants?.some((one) => one.terms.grant === grant) === true) return fail('conflict', 'The log says that this grant was given already.');
  const agent = inForce.agents.get(terms.agent);
  if (!agent || agent.suspended_at !== null) return fail('grant_invalid', agent ? `${terms.agent} is suspended.` : `No agent ${terms.agent} is registered.`);
  if (terms.expires_at <= now) return fail('grant_invalid', 'The grant would have ended already.', { fix: 'Choose a later end.' });
  if (Date.parse(terms.expires_at) - Date.parse(now) > longestDays * 86_400_000) return fail('grant_invalid', `A grant lasts ${longestDays} days at most.`);
  const scope = parseGrantScope(terms, policy.catalogue);
  if (!scope.ok) return scope;
  if (replaces === undefined) return ok(null);
  const wide = inForce.grants?.find((one) => one.terms.grant === replaces);
  if (!wide) return fail('grant_invalid', 'The grant to be narrowed does not stand any more.');
  const left = { ...wide.terms, uses: wide.terms.uses - wide.used };
  return narrowsGrant(terms, left) ? ok(null) : fail('grant_invalid', 'It is not narrower than the grant that it is to replace.', { fix: 'Keep its agent and tool, its conditions or tighter ones, and no more uses or time than are left.' });
}
