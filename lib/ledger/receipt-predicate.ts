import type { z } from 'zod';

import type { DeepReadonly } from './deep-readonly';
import {
  approvalEdited, approvalEscalated, approvalExtended, approvalRequested, approvalResolved, approvalVoted, deferralAttempted, deferralOpened, deferralResolved,
} from './predicates/approvals';
import {
  credentialAdministered, keyEnrolled, keyRemoved, policyApplied, recoveryAnnounced, recoveryCancelled, rollbackAccepted, rosterChanged, serviceStarted, switchThrown,
  trustRootChanged, userAdministered,
} from './predicates/authority';
import { contentErased } from './predicates/contents';
import { actionDecided } from './predicates/decisions';
import { grantConsumed, grantIssued, grantRevoked } from './predicates/grants';
import { guardFinding } from './predicates/guards';
import { labelLowered } from './predicates/labels';
import { actionWithdrawn, outcomeReported, permitIssued, permitRedeemed, permitRefused } from './predicates/permits';
import { allowlistApplied, policyProposed, policyProved, policyRejected, policyRolledBack, policySigned } from './predicates/proposals';
import { callsRefused, editRefused, exportMade } from './predicates/refusals';
import { seededRequestCommitted, seededRequestOpened } from './predicates/seeded';
import { attributesSupplied, delegationRecorded, messageRecorded, sessionClosed, sessionOpened } from './predicates/sessions';
import { standingApprovalGranted, standingApprovalRevoked, standingApprovalUsed } from './predicates/standing';

/** Every kind of receipt and the schema of its predicate. The list is closed: a verifier refuses a kind it does not know. */
export const receiptSchemas = {
  trust_root_changed: trustRootChanged,
  roster_changed: rosterChanged,
  policy_proposed: policyProposed,
  policy_proved: policyProved,
  policy_signed: policySigned,
  policy_applied: policyApplied,
  policy_rejected: policyRejected,
  policy_rolled_back: policyRolledBack,
  allowlist_applied: allowlistApplied,
  grant_issued: grantIssued,
  grant_consumed: grantConsumed,
  grant_revoked: grantRevoked,
  service_started: serviceStarted,
  credential_administered: credentialAdministered,
  user_administered: userAdministered,
  key_enrolled: keyEnrolled,
  key_removed: keyRemoved,
  rollback_accepted: rollbackAccepted,
  recovery_announced: recoveryAnnounced,
  recovery_cancelled: recoveryCancelled,
  session_opened: sessionOpened,
  session_closed: sessionClosed,
  message_recorded: messageRecorded,
  delegation_recorded: delegationRecorded,
  attributes_supplied: attributesSupplied,
  label_lowered: labelLowered,
  action_decided: actionDecided,
  approval_requested: approvalRequested,
  approval_voted: approvalVoted,
  approval_resolved: approvalResolved,
  approval_escalated: approvalEscalated,
  approval_extended: approvalExtended,
  approval_edited: approvalEdited,
  standing_approval_granted: standingApprovalGranted,
  standing_approval_used: standingApprovalUsed,
  standing_approval_revoked: standingApprovalRevoked,
  seeded_request_committed: seededRequestCommitted,
  seeded_request_opened: seededRequestOpened,
  deferral_opened: deferralOpened,
  deferral_attempted: deferralAttempted,
  deferral_resolved: deferralResolved,
  permit_issued: permitIssued,
  permit_redeemed: permitRedeemed,
  permit_refused: permitRefused,
  outcome_reported: outcomeReported,
  guard_finding: guardFinding,
  action_withdrawn: actionWithdrawn,
  edit_refused: editRefused,
  calls_refused: callsRefused,
  switch_thrown: switchThrown,
  export_made: exportMade,
  content_erased: contentErased,
} as const;

export type ReceiptKind = keyof typeof receiptSchemas;

/** The predicate of one kind: `ReceiptPredicate<'permit_redeemed'>`. */
export type ReceiptPredicate<Kind extends ReceiptKind = ReceiptKind> = {
  [K in Kind]: DeepReadonly<z.infer<(typeof receiptSchemas)[K]>>;
}[Kind];

/** A receipt's kind and predicate together, as a union that `switch` can tell apart. */
export type ReceiptBody = { [K in ReceiptKind]: { readonly kind: K; readonly predicate: ReceiptPredicate<K> } }[ReceiptKind];

export const isReceiptKind = (text: string): text is ReceiptKind => Object.hasOwn(receiptSchemas, text);
