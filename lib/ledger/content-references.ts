import type { Digest } from '@/lib/shared/ids';

import type { ReceiptBody } from './receipt-predicate';

/** The content items that a receipt names: what an exporter collects, and what a verifier expects or counts as absent. */
export function contentReferences({ kind, predicate }: ReceiptBody): readonly Digest[] {
  switch (kind) {
    case 'action_decided':
      // Attribute values lie in the snapshot, whose salt their digests share: they are no items of their own.
      return named(predicate.action.digest, predicate.transformed_digest, predicate.snapshot_digest, predicate.permit?.action_digest);
    case 'approval_requested':
      return named(predicate.action.digest, predicate.transformed_digest, predicate.held_digest);
    case 'permit_issued':
      return named(predicate.action.digest, predicate.permit.action_digest);
    case 'outcome_reported':
      return named(predicate.action.digest, predicate.output_digest);
    case 'session_opened':
      return named(predicate.request_digest, predicate.task_digest);
    case 'message_recorded':
      return named(predicate.message_digest);
    case 'attributes_supplied':
      return named(...predicate.attributes.map(({ value_digest }) => value_digest));
    case 'approval_edited':
      return named(predicate.action.digest, predicate.parameters_digest);
    case 'deferral_opened':
      return named(predicate.question?.digest);
    case 'guard_finding':
      return named(predicate.content_digest);
    case 'policy_proposed':
      return named(predicate.text_digest, predicate.reason_digest);
    case 'policy_proved':
      return named(predicate.proof_digest);
    default:
      return [];
  }
}

/**
 * Of these, the ones that are actions: in them alone `{"$sealed": …}` stands for another item. Outputs, attributes, texts and snapshots
 * hold what others said, and whoever wrote a seal there would have somebody else's content exported, missed or erased with their own.
 */
export function actionReferences({ kind, predicate }: ReceiptBody): readonly Digest[] {
  switch (kind) {
    case 'action_decided':
      return named(predicate.action.digest, predicate.transformed_digest, predicate.permit?.action_digest);
    case 'approval_requested':
      return named(predicate.action.digest, predicate.transformed_digest);
    case 'permit_issued':
      return named(predicate.action.digest, predicate.permit.action_digest);
    case 'outcome_reported':
    case 'approval_edited':
      return named(predicate.action.digest);
    default:
      return [];
  }
}

function named(...digests: readonly (Digest | null | undefined)[]): readonly Digest[] {
  return [...new Set(digests.filter((digest): digest is Digest => typeof digest === 'string'))];
}
