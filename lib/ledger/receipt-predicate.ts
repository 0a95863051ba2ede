import type { z } from 'zod';

import type { DeepReadonly } from './deep-readonly';
import { approvalRequested, approvalResolved, approvalVoted, deferralAttempted, deferralOpened, deferralResolved } from './predicates/approvals';
import {
  credentialAdministered, keyEnrolled, policyApplied, rosterChanged, serviceStarted, switchThrown, trustRootChanged, userAdministered,
} from './predicates/authority';
import { actionDecided } from './predicates/decisions';
import { actionWithdrawn, outcomeReported, permitIssued, permitRedeemed, permitRefused } from './predicates/permits';
import { callsRefused, editRefused, exportMade } from './predicates/refusals';
import { attributesSupplied, delegationRecorded, messageRecorded, sessionClosed, sessionOpened } from './predicates/sessions';

/** Every kind of receipt and the schema of its predicate. The list is closed: a verifier refuses a kind it does not know. */
export const receiptSchemas = {
  trust_root_changed: trustRootChanged,
  roster_changed: rosterChanged,
  policy_applied: policyApplied,
  service_started: serviceStarted,
  credential_administered: credentialAdministered,
  user_administered: userAdministered,
  key_enrolled: keyEnrolled,
  session_opened: sessionOpened,
  session_closed: sessionClosed,
  message_recorded: messageRecorded,
  delegation_recorded: delegationRecorded,
  attributes_supplied: attributesSupplied,
  action_decided: actionDecided,
  approval_requested: approvalRequested,
  approval_voted: approvalVoted,
  approval_resolved: approvalResolved,
  deferral_opened: deferralOpened,
  deferral_attempted: deferralAttempted,
  deferral_resolved: deferralResolved,
  permit_issued: permitIssued,
  permit_redeemed: permitRedeemed,
  permit_refused: permitRefused,
  outcome_reported: outcomeReported,
  action_withdrawn: actionWithdrawn,
  edit_refused: editRefused,
  calls_refused: callsRefused,
  switch_thrown: switchThrown,
  export_made: exportMade,
} as const;

export type ReceiptKind = keyof typeof receiptSchemas;

/** The predicate of one kind: `ReceiptPredicate<'permit_redeemed'>`. */
export type ReceiptPredicate<Kind extends ReceiptKind = ReceiptKind> = {
  [K in Kind]: DeepReadonly<z.infer<(typeof receiptSchemas)[K]>>;
}[Kind];

/** A receipt's kind and predicate together, as a union that `switch` can tell apart. */
export type ReceiptBody = { [K in ReceiptKind]: { readonly kind: K; readonly predicate: ReceiptPredicate<K> } }[ReceiptKind];

export const isReceiptKind = (text: string): text is ReceiptKind => Object.hasOwn(receiptSchemas, text);
