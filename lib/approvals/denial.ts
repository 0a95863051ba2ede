import { bounds } from '@/lib/shared/bounds';
import { fail, ok, type Result } from '@/lib/shared/result';

import type { RequestTerms } from './approval-state';
import { isRouted } from './eligible-approvers';
import type { HeldAction } from './held-action';
import type { Approver, Denial } from './vote';

/**
 * Denying needs no key and is not barred by separation of duties: it only tightens. It needs the request to be routed to
 * the person, and a reason for the agent. `terms`: the request as it stands; left out: as it was made. Refusals: `not_an_approver`, `reason_required`, `invalid_input`, `approval_expired`.
 */
export function verifyDenial(
  denial: Denial,
  held: HeldAction,
  approver: Approver | undefined,
  { asked, expires_at }: RequestTerms = { asked: held.approvers.groups, expires_at: held.expires_at },
): Result<Denial> {
  if (denial.request !== held.approval) return fail('invalid_input', 'The denial is for another request.');
  if (!isRouted(approver, denial.person, asked)) return fail('not_an_approver', 'The request is not routed to you.');
  if (denial.reason.trim() === '') return fail('reason_required', 'Say why, so that the agent can do better.');
  if (denial.reason.length > bounds.reasonText || !denial.reason.isWellFormed()) return fail('invalid_input', 'The reason is too long or not valid text.');
  if (denial.at >= expires_at) return fail('approval_expired', `The request expired at ${expires_at}.`);
  return ok(denial);
}
