import { actionStates } from '@/lib/contracts/plane/actions';
import { decisionKinds, impacts } from '@/lib/mediate/catalogue';
import type { ActionRow, PermitRow } from '@/lib/ports/action-store';
import type { ActionId, CredentialId, Digest, PermitId, ReceiptId, SessionId } from '@/lib/shared/ids';

import { big, int, oneOf, orNull, text, texts, time, type Row } from './columns';
import type { Columns, Values } from './statements';

export const actionColumns = {
  id: 'text', session_id: 'text', agent_id: 'text', human: 'text', credential_id: 'text', tool: 'text', operation: 'text',
  asked_digest: 'text', effective_digest: 'text', reason: 'text', depends_on: 'text[]', decision: 'text', state: 'text', code: 'text',
  reason_shown: 'text', guidance: 'text', classification: 'text', impact: 'text', body: 'text', snapshot_digest: 'text', revision: 'int4',
  policy_digest: 'text', epoch: 'int8', context_head: 'text', receipt_id: 'text', receipt_index: 'int8', proposed_at: 'timestamptz',
  changed_at: 'timestamptz', permit_id: 'text', permit_expires_at: 'timestamptz', permit_receipt: 'text', permit_epoch: 'int8',
  permit_head: 'text', redeemed_at: 'timestamptz', redeemed_by: 'text', outcome_due_at: 'timestamptz', outcome_at: 'timestamptz',
  output_digest: 'text', outcome_error: 'text', superseded_by: 'text',
} as const satisfies Columns;

export type ActionColumn = keyof typeof actionColumns;
export type ActionValues = Partial<Values<ActionColumn>>;

/** The columns of the fields that are given: all of a row's, or those of a change. */
export function actionValues(row: Partial<ActionRow>): ActionValues {
  const { session, agent, credential, asked, effective, snapshot, policy, epoch, receipt, permit, output, depends_on, ...same } = row;
  return {
    ...same,
    ...(session === undefined ? {} : { session_id: session }),
    ...(agent === undefined ? {} : { agent_id: agent }),
    ...(credential === undefined ? {} : { credential_id: credential }),
    ...(asked === undefined ? {} : { asked_digest: asked }),
    ...(effective === undefined ? {} : { effective_digest: effective }),
    ...(depends_on === undefined ? {} : { depends_on }),
    ...(snapshot === undefined ? {} : { snapshot_digest: snapshot }),
    ...(policy === undefined ? {} : { revision: policy?.revision ?? null, policy_digest: policy?.digest ?? null }),
    ...(epoch === undefined ? {} : { epoch: String(epoch) }),
    ...(receipt === undefined ? {} : { receipt_id: receipt.id, receipt_index: String(receipt.index) }),
    ...(permit === undefined ? {} : permitValues(permit)),
    ...(output === undefined ? {} : { output_digest: output }),
  };
}

const permitValues = (permit: PermitRow | null): ActionValues => ({
  permit_id: permit?.id ?? null,
  permit_expires_at: permit?.expires_at ?? null,
  permit_receipt: permit?.receipt ?? null,
  permit_epoch: permit === null ? null : String(permit.epoch),
  permit_head: permit?.head ?? null,
});

const textOrNull = orNull(text);
const timeOrNull = orNull(time);
const readDecision = oneOf(decisionKinds);
const readState = oneOf(actionStates);
const readImpact = oneOf(impacts);

export const readActionRow = (row: Row): ActionRow => ({
  id: text(row['id']) as ActionId,
  session: text(row['session_id']) as SessionId,
  agent: text(row['agent_id']),
  human: text(row['human']),
  credential: text(row['credential_id']) as CredentialId,
  tool: text(row['tool']),
  operation: text(row['operation']),
  asked: text(row['asked_digest']) as Digest,
  effective: text(row['effective_digest']) as Digest,
  reason: textOrNull(row['reason']),
  depends_on: texts(row['depends_on']) as readonly ActionId[],
  decision: readDecision(row['decision']),
  state: readState(row['state']),
  code: text(row['code']),
  reason_shown: text(row['reason_shown']),
  guidance: textOrNull(row['guidance']),
  classification: textOrNull(row['classification']),
  impact: readImpact(row['impact']),
  body: text(row['body']),
  snapshot: textOrNull(row['snapshot_digest']) as Digest | null,
  policy: readPolicy(row),
  epoch: big(row['epoch']),
  context_head: text(row['context_head']) as Digest,
  receipt: { id: text(row['receipt_id']) as ReceiptId, index: big(row['receipt_index']) },
  proposed_at: time(row['proposed_at']),
  changed_at: time(row['changed_at']),
  permit: readPermit(row),
  redeemed_at: timeOrNull(row['redeemed_at']),
  redeemed_by: textOrNull(row['redeemed_by']) as CredentialId | null,
  outcome_due_at: timeOrNull(row['outcome_due_at']),
  outcome_at: timeOrNull(row['outcome_at']),
  output: textOrNull(row['output_digest']) as Digest | null,
  outcome_error: textOrNull(row['outcome_error']),
  superseded_by: textOrNull(row['superseded_by']) as ActionId | null,
});

function readPolicy(row: Row): ActionRow['policy'] {
  const revision = orNull(int)(row['revision']);
  return revision === null ? null : { revision, digest: text(row['policy_digest']) as Digest };
}

/** Half a permit is none that could be judged: its other cells must be there, or reading throws. */
function readPermit(row: Row): PermitRow | null {
  const id = textOrNull(row['permit_id']);
  if (id === null) return null;
  return {
    id: id as PermitId,
    expires_at: time(row['permit_expires_at']),
    receipt: text(row['permit_receipt']) as ReceiptId,
    epoch: big(row['permit_epoch']),
    head: text(row['permit_head']) as Digest,
  };
}
