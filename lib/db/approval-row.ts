import { approvalStatuses } from '@/lib/approvals/approval-state';
import { impacts } from '@/lib/mediate/catalogue';
import type { ApprovalRow, DeferralRow, VoteRow } from '@/lib/ports/approval-store';
import type { ActionId, ApprovalId, DeferralId, Digest, PersonId, SessionId } from '@/lib/shared/ids';

import { big, bool, int, oneOf, orNull, text, texts, time, type Row } from './columns';
import type { Columns, Values } from './statements';

export const approvalColumns = {
  id: 'text', action_id: 'text', session_id: 'text', state: 'text', impact: 'text', approvers: 'text[]', all_groups: 'bool', quorum: 'int4',
  separation: 'bool', basis: 'text', basis_digest: 'text', held: 'text', created_at: 'timestamptz', expires_at: 'timestamptz',
  resolved_at: 'timestamptz', resolved_by: 'text', resolution: 'text', looked_epoch: 'int8', looked_head: 'text', escalates_at: 'timestamptz', edit: 'text',
} as const satisfies Columns;

export const voteColumns = {
  approval_id: 'text', person_id: 'text', verdict: 'text', reason: 'text', statement: 'text', envelope: 'text', key_id: 'text',
  key_kind: 'text', at: 'timestamptz',
} as const satisfies Columns;

export const deferralColumns = {
  id: 'text', action_id: 'text', session_id: 'text', state: 'text', missing: 'text', waits_for: 'text[]', depth: 'int4', ask_at: 'timestamptz',
  created_at: 'timestamptz', expires_at: 'timestamptz', resolved_at: 'timestamptz', question: 'text',
} as const satisfies Columns;

export const approvalValues = ({ action, session, looked_epoch, ...same }: ApprovalRow): Values<keyof typeof approvalColumns> => ({
  ...same,
  looked_epoch: String(looked_epoch),
  action_id: action,
  session_id: session,
});

export const voteValues = ({ approval, person, key, ...same }: VoteRow): Values<keyof typeof voteColumns> => ({
  ...same,
  approval_id: approval,
  person_id: person,
  key_id: key?.id ?? null,
  key_kind: key?.kind ?? null,
});

export const deferralValues = ({ action, session, ...same }: DeferralRow): Values<keyof typeof deferralColumns> => ({
  ...same,
  action_id: action,
  session_id: session,
});

const textOrNull = orNull(text);

export const readApprovalRow = (row: Row): ApprovalRow => ({
  id: text(row['id']) as ApprovalId,
  action: text(row['action_id']) as ActionId,
  session: text(row['session_id']) as SessionId,
  state: oneOf(approvalStatuses)(row['state']),
  impact: oneOf(impacts)(row['impact']),
  approvers: texts(row['approvers']),
  all_groups: bool(row['all_groups']),
  quorum: int(row['quorum']),
  separation: bool(row['separation']),
  basis: text(row['basis']),
  basis_digest: text(row['basis_digest']) as Digest,
  held: text(row['held']),
  created_at: time(row['created_at']),
  expires_at: time(row['expires_at']),
  resolved_at: orNull(time)(row['resolved_at']),
  resolved_by: textOrNull(row['resolved_by']),
  resolution: textOrNull(row['resolution']),
  looked_epoch: big(row['looked_epoch']),
  looked_head: text(row['looked_head']) as Digest,
  escalates_at: orNull(time)(row['escalates_at']),
  edit: textOrNull(row['edit']),
});

export function readVoteRow(row: Row): VoteRow {
  const key = textOrNull(row['key_id']);
  return {
    approval: text(row['approval_id']) as ApprovalId,
    person: text(row['person_id']) as PersonId,
    verdict: oneOf(['approve', 'deny'])(row['verdict']),
    reason: textOrNull(row['reason']),
    statement: textOrNull(row['statement']),
    envelope: textOrNull(row['envelope']),
    key: key === null ? null : { id: key, kind: text(row['key_kind']) },
    at: time(row['at']),
  };
}

export const readDeferralRow = (row: Row): DeferralRow => ({
  id: text(row['id']) as DeferralId,
  action: text(row['action_id']) as ActionId,
  session: text(row['session_id']) as SessionId,
  state: oneOf(['open', 'resolved', 'expired', 'withdrawn'])(row['state']),
  missing: text(row['missing']),
  waits_for: texts(row['waits_for']) as readonly ActionId[],
  depth: int(row['depth']),
  ask_at: orNull(time)(row['ask_at']),
  created_at: time(row['created_at']),
  expires_at: time(row['expires_at']),
  resolved_at: orNull(time)(row['resolved_at']),
  question: textOrNull(row['question']),
});
