import type { ReceiptRow } from '@/lib/contracts/console/receipts';
import type { DecisionKind } from '@/components/ui/decision-kind';

const decisions: readonly DecisionKind[] = ['ALLOW', 'DENY', 'MODIFY', 'STEP_UP', 'DEFER'];

export const decisionOf = ({ decision }: Pick<ReceiptRow, 'decision'>): DecisionKind | undefined => decisions.find((kind) => kind === decision);

/** `approval_voted` as "Approval voted". */
export const kindWords = (kind: string): string => `${kind.charAt(0).toUpperCase()}${kind.slice(1).replaceAll('_', ' ')}`;

/** Kinds that people look for, as the filter offers them. */
export const kindsOffered: readonly ReceiptRow['kind'][] = [
  'action_decided', 'approval_requested', 'approval_voted', 'approval_edited', 'approval_extended', 'approval_escalated', 'approval_resolved', 'deferral_opened', 'deferral_attempted', 'deferral_resolved', 'permit_issued', 'permit_redeemed', 'permit_refused',
  'outcome_reported', 'action_withdrawn', 'session_opened', 'session_closed', 'message_recorded', 'delegation_recorded', 'attributes_supplied', 'label_lowered', 'policy_applied', 'roster_changed', 'trust_root_changed',
  'key_enrolled', 'key_removed', 'credential_administered', 'user_administered', 'switch_thrown', 'grant_issued', 'grant_consumed', 'grant_revoked', 'policy_proposed', 'policy_proved', 'policy_signed', 'policy_rejected', 'policy_rolled_back', 'rollback_accepted', 'recovery_announced', 'recovery_cancelled', 'allowlist_applied', 'edit_refused', 'calls_refused', 'export_made', 'content_erased', 'guard_finding',
];
