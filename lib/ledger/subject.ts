import { assertNever } from '@/lib/shared/assert-never';
import { digestOf, utf8, type Sha256 } from '@/lib/shared/encoding';
import type { Digest } from '@/lib/shared/ids';

import type { ReceiptBody } from './receipt-predicate';

/** What a receipt is about: `<kind of thing>:<id>` and a digest. */
export type Subject = { readonly name: string; readonly digest: Digest };

/**
 * The subject follows from the predicate. in-toto asks for a digest: a document's own (action, basis, policy, root, roster),
 * a session's chain head after the receipt, and for things that have no bytes the SHA-256 of the subject's name.
 */
export function subjectOf(sha256: Sha256, body: ReceiptBody): Subject {
  const named = (name: string): Subject => ({ name, digest: digestOf(sha256, utf8(name)) });
  switch (body.kind) {
    case 'trust_root_changed':
      return { name: `trust_root:${body.predicate.version}`, digest: body.predicate.digest };
    case 'recovery_announced':
      return { name: `trust_root:${body.predicate.version}`, digest: body.predicate.digest };
    case 'recovery_cancelled':
      return { name: 'trust_root', digest: body.predicate.digest };
    case 'roster_changed':
      return { name: `roster:${body.predicate.version}`, digest: body.predicate.digest };
    case 'policy_applied':
    case 'policy_rolled_back':
      return { name: `policy:${body.predicate.revision}`, digest: body.predicate.digest };
    case 'policy_proposed':
    case 'policy_proved':
    case 'policy_signed':
    case 'policy_rejected':
      return { name: `proposal:${body.predicate.proposal}`, digest: body.predicate.digest };
    case 'allowlist_applied':
      return { name: `allowlist:${body.predicate.directory}`, digest: body.predicate.allowlist_digest };
    case 'grant_issued':
      return { name: `grant:${body.predicate.grant}`, digest: body.predicate.digest };
    case 'grant_revoked':
      return named(`grant:${body.predicate.grant}`);
    case 'service_started':
      return named(`key:${body.predicate.key}`);
    case 'credential_administered':
      return named(`credential:${body.predicate.credential}`);
    case 'user_administered':
    case 'key_enrolled':
    case 'key_removed':
      return named(`person:${body.predicate.person}`);
    case 'session_opened':
    case 'session_closed':
    case 'message_recorded':
    case 'delegation_recorded':
    case 'attributes_supplied':
    case 'label_lowered':
      return { name: `session:${body.predicate.session}`, digest: body.predicate.context_head };
    case 'action_decided':
    case 'permit_issued':
    case 'permit_redeemed':
    case 'permit_refused':
    case 'outcome_reported':
    case 'action_withdrawn':
    case 'grant_consumed':
    case 'standing_approval_used':
    case 'deferral_opened':
    case 'deferral_attempted':
    case 'deferral_resolved':
    case 'approval_resolved':
    case 'approval_escalated':
    case 'approval_extended':
    case 'approval_edited':
      return { name: `action:${body.predicate.action.id}`, digest: body.predicate.action.digest };
    case 'approval_requested':
    case 'approval_voted':
      return { name: `approval:${body.predicate.approval}`, digest: body.predicate.basis_digest };
    case 'seeded_request_committed':
    case 'seeded_request_opened':
      return { name: `approval:${body.predicate.approval}`, digest: body.predicate.commitment };
    case 'standing_approval_granted':
    case 'standing_approval_revoked':
      return named(`standing:${body.predicate.standing}`);
    case 'guard_finding':
      return { name: `content:${body.predicate.what}`, digest: body.predicate.content_digest };
    case 'rollback_accepted':
      return { name: `log:${body.predicate.workspace}`, digest: body.predicate.found.log.root };
    case 'switch_thrown':
      return named(`switch:${body.predicate.scope}${body.predicate.target === undefined ? '' : `:${body.predicate.target}`}`);
    case 'edit_refused':
    case 'calls_refused':
    case 'export_made':
    case 'content_erased':
      return named(`${body.predicate.by.kind}:${body.predicate.by.id}`);
    default:
      return assertNever(body);
  }
}
