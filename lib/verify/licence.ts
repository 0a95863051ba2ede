import { neededQuorum } from '@/lib/approvals/needed-quorum';
import { parseHeldAction } from '@/lib/approvals/parse-held-action';
import type { Decision } from '@/lib/engine/decision';
import type { CompiledPolicy } from '@/lib/engine/policy';
import type { ReceiptPredicate } from '@/lib/ledger/receipt-predicate';
import { asJson } from '@/lib/shared/as-json';
import { canonicalJson } from '@/lib/shared/canonical-json';

import type { RederiveInput } from './rederive';

type Terms = ReceiptPredicate<'permit_issued'>['permit'];
type Demand = NonNullable<Decision['approval']>;

/**
 * A verdict that comes out the same says nothing of what it licenses. Whom the decision asks, how many of them and until when, and
 * what a permit obliges to and how long it lasts, follow from policy and snapshot as well.
 */
export function differenceOfLicence({ decided, request, issued, held, escalations = [] }: RederiveInput, again: Decision, { permits }: Pick<CompiledPolicy, 'permits'>): string | undefined {
  const asked = request && decided.decision !== 'DENY' ? differenceOfRequest(request, demandOf(again, decided.cause), again.impact, { held, escalations }) : undefined;
  if (asked !== undefined) return asked;
  if (decided.permit) return differenceOfPermit(decided.permit, again, decided.at, permits.ttl_s);
  return issued ? (issued.permit.grants === undefined && again.grants.length > 0 ? unnamed : differenceOfPermit(issued.permit, { ...again, grants: [] }, issued.at, permits.after_approval_s)) : undefined;
}

/** Whom the decision asks: those of a STEP_UP, those who decide between rules that conflict, or those whom a rule names for the end of its time. */
function demandOf({ decision, approval, deferral }: Decision, cause: RederiveInput['decided']['cause']): Demand | undefined {
  if (decision === 'STEP_UP') return approval;
  return cause === 'timed_out' ? deferral?.at_timeout : deferral?.escalate;
}

function differenceOfRequest(request: NonNullable<RederiveInput['request']>, approval: Demand | undefined, impact: Decision['impact'], { held, escalations }: Required<Pick<RederiveInput, 'held' | 'escalations'>>): string | undefined {
  if (!approval) return 'People were asked, and the policy asks nobody.';
  const stranger = escalations.flatMap((one) => one.approvers).find((group) => approval.escalate?.to.includes(group) !== true);
  if (stranger !== undefined) return `${stranger} was asked later, and the policy names nobody so.`;
  if (approval.escalate && escalations.some(({ at }) => lasts(request.at, at) < (approval.escalate?.after_s ?? 0))) return `Others were asked before the ${approval.escalate.after_s} seconds of the policy.`;
  const { approvers, quorum, separation } = request;
  if (canonicalJson(approvers) !== canonicalJson(approval.approvers)) return `The request was routed to ${approvers.join(', ')}, the policy asks ${approval.approvers.join(', ')}.`;
  const needed = neededQuorum({ approvers: { groups: approval.approvers, all_groups: approval.all_groups, quorum: approval.quorum, separation: approval.separation }, impact });
  if (quorum !== needed) return `The request needs ${quorum} people, the policy ${needed}.`;
  const read = parseHeldAction(held);
  const shown = read.ok ? read.value.approvers : undefined;
  if (shown && shown.all_groups !== approval.all_groups) return `The policy asks ${approval.all_groups ? 'all groups' : 'any group'}, and people were asked otherwise.`;
  if (shown?.escalate && !(approval.escalate && canonicalJson(asJson(shown.escalate)) === canonicalJson(asJson(approval.escalate)))) return 'People were told of another backup than the policy names.';
  if (separation !== approval.separation) return 'The request is another about separation of duties than the policy.';
  return lasts(request.at, request.expires_at) > approval.timeout_s ? `The request lasts longer than the ${approval.timeout_s} seconds of the policy.` : undefined;
}

function differenceOfPermit({ obligations, expires_at, grants = [] }: Terms, again: Decision, at: string, seconds: number): string | undefined {
  if (canonicalJson(asJson(obligations)) !== canonicalJson(asJson(again.obligations.map(({ kind, value }) => ({ kind, value }))))) return 'The permit obliges to something else than the policy.';
  if (again.grants.some((grant) => !grants.some((named) => named === grant))) return unnamed;
  return lasts(at, expires_at) > seconds ? `The permit lasts longer than the ${seconds} seconds of the policy.` : undefined;
}

const unnamed = 'The permit does not name the grant that it rests on.';

const lasts = (from: string, to: string): number => (Date.parse(to) - Date.parse(from)) / 1000;
