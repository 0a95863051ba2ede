import type { Envelope } from '@/lib/shared/dsse';
import { fail, ok, type Result } from '@/lib/shared/result';
import type { Timestamp } from '@/lib/shared/timestamp';

import { nextApprovalState } from './approval-machine';
import type { PendingApproval } from './approval-state';
import { signedByApprover, type ApproverSignatureContext } from './approver-signature';
import { routedGroups } from './eligible-approvers';
import { extensionPayloadType, type Extension } from './extension';
import type { HeldAction } from './held-action';
import { parseExtension } from './parse-extension';
import { separationOf, whyBarred } from './separation';
import { readSigned } from './verify-signatory';

export type ExtensionContext = ApproverSignatureContext & {
  readonly held: HeldAction;
  /** The request as it stood before. */
  readonly state: PendingApproval;
  /** The database's clock. */
  readonly now: Timestamp;
};

/**
 * Whether a signed extension counts: by somebody who could approve the request, in time, to no later than it may last. Gives the
 * request as it stands then. Run when it is made, and by every process that acts on a request that was extended.
 * Refusals: those of `signedByApprover` and `nextApprovalState`, `separation_of_duties`, `approval_stale` (another request or basis).
 */
export async function verifyExtension(
  envelope: Envelope,
  context: ExtensionContext,
): Promise<Result<{ readonly extension: Extension; readonly state: PendingApproval }>> {
  const { held, state, now } = context;
  const read = readSigned(envelope, extensionPayloadType, parseExtension);
  if (!read.ok) return read;
  const extension = read.value;
  const signed = await signedByApprover(envelope, extension, held.impact, context);
  if (!signed.ok) return signed;
  const { approver } = signed.value;
  if (routedGroups(approver, state.asked).length === 0) return fail('not_an_approver', 'The request is routed to groups that you do not belong to.');
  const separation = separationOf(approver, held);
  if (separation.barred) return fail('separation_of_duties', whyBarred[separation.involvement]);
  if (extension.request !== held.approval) return fail('approval_stale', 'The extension is for another request.');
  if (extension.basis_digest !== state.basis_digest) return fail('approval_stale', 'The request has changed since it was signed.');
  const next = nextApprovalState(state, { kind: 'extend', now, until: extension.expires_at });
  if (!next.ok) return next;
  return next.value.status === 'pending' ? ok({ extension, state: next.value }) : fail('internal', 'An extension never ends a request.');
}
