import type { ActionView } from '@/lib/contracts/plane/actions';
import type { ActionRow } from '@/lib/ports/action-store';
import type { ApprovalRow, ApprovalStore, DeferralRow } from '@/lib/ports/approval-store';
import type { ContentStore } from '@/lib/ports/content-store';
import { readStatement } from '@/lib/ledger/statement';
import type { LedgerReader } from '@/lib/ports/ledger-reader';
import type { Sha256 } from '@/lib/shared/encoding';
import { asJson } from '@/lib/shared/as-json';
import { parseEnvelope } from '@/lib/shared/dsse';
import { parseOwnJson } from '@/lib/shared/parse-own-json';

import { openAction, openContent } from './action-content';
import { storedMissing } from './askable-fields';
import { questionOf } from './open-question';

/** What an action's view is joined from, when it is read back. */
export type ViewStores = {
  readonly approvals: ApprovalStore;
  readonly content: ContentStore;
  readonly reader: LedgerReader;
  readonly consoleUrl: string;
  readonly sha256: Sha256;
};

/** `explain`: the credential may see rules and signals; agents may not, lest deciding become an oracle for evasion. */
export async function viewOfAction(row: ActionRow, stores: ViewStores, explain: boolean): Promise<ActionView> {
  const transformed = row.effective === row.asked || row.decision === 'DENY' ? null : await openAction(stores.content, stores.sha256, row.effective);
  const approval = row.state === 'held' ? await stores.approvals.ofAction(row.id) : undefined;
  const deferral = row.state === 'deferred' || (row.state === 'held' && row.decision === 'DEFER') ? await stores.approvals.deferralOf(row.id) : undefined;
  const permit = row.permit && row.state === 'permitted' ? await stores.reader.byId(row.permit.receipt) : undefined;
  return {
    ...plainView(row),
    ...(transformed?.ok === true ? { transformed: { ...transformed.value } } : {}),
    ...(row.permit && permit ? { permit: { id: row.permit.id, expires_at: row.permit.expires_at, envelope: parseOwnJson(permit.envelope) } } : {}),
    ...(approval ? { approval: await approvalPart(approval, stores) } : {}),
    ...(deferral?.state === 'open' ? { deferral: { ...deferralPart(deferral), ...(await questionPart(deferral, stores)) } } : {}),
    ...(explain ? await explanation(row, stores) : {}),
  };
}

/** What the row alone says. */
export function plainView(row: ActionRow): ActionView {
  const outcome = row.state === 'succeeded' || row.state === 'failed' || row.state === 'unknown' ? row.state : null;
  return {
    id: row.id,
    decision: row.decision,
    state: row.state,
    ...(row.classification === null ? {} : { classification: row.classification }),
    code: row.code,
    reason: row.reason_shown,
    ...(row.guidance === null ? {} : { guidance: row.guidance }),
    ...(row.policy === null ? {} : { policy: { ...row.policy } }),
    ...(row.superseded_by === null ? {} : { superseded_by: row.superseded_by }),
    ...(outcome === null ? {} : { outcome: { status: outcome, at: row.outcome_at ?? row.changed_at } }),
    receipt: { id: row.receipt.id, index: Number(row.receipt.index) },
  };
}

export async function approvalPart(approval: ApprovalRow, stores: Pick<ViewStores, 'approvals' | 'consoleUrl'>): Promise<NonNullable<ActionView['approval']>> {
  const given = (await stores.approvals.votes(approval.id)).filter(({ verdict }) => verdict === 'approve').length;
  return { id: approval.id, expires_at: approval.expires_at, quorum: { needed: approval.quorum, given }, url: `${stores.consoleUrl}/approvals?item=${approval.id}` };
}

export function deferralPart(deferral: DeferralRow): NonNullable<ActionView['deferral']> {
  return {
    missing: storedMissing(deferral.missing).map(({ field, suppliers }) => ({ field, suppliers: [...suppliers] })),
    ...(deferral.waits_for.length > 0 ? { waits_for: [...deferral.waits_for] } : {}),
    expires_at: deferral.expires_at,
  };
}

async function questionPart(deferral: DeferralRow, { content, sha256 }: ViewStores): Promise<Pick<NonNullable<ActionView['deferral']>, 'question'>> {
  const question = questionOf(deferral);
  const text = question && (await openContent(content, sha256, question.digest));
  return question && typeof text === 'string' ? { question: { text, asked: question.asked } } : {};
}

/** Rules and signals as the decision's receipt states them. */
async function explanation(row: ActionRow, { reader, sha256 }: ViewStores): Promise<Pick<ActionView, 'rules' | 'signals'>> {
  const receipt = await reader.byId(row.receipt.id);
  const envelope = receipt && parseEnvelope(receipt.envelope);
  const body = envelope?.ok ? readStatement(sha256, envelope.value) : undefined;
  if (!body?.ok || body.value.kind !== 'action_decided') return {};
  return { rules: body.value.predicate.determining.map(asJson), signals: body.value.predicate.signals.map(asJson) };
}
