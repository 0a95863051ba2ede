import type { Decision } from '@/lib/engine/decision';
import { asJson } from '@/lib/shared/as-json';
import { canonicalJson } from '@/lib/shared/canonical-json';

/** What becomes of an action, beyond the word for it: what would run, who is asked, what is missing. */
export function decisionLines({ transformed, approval, deferral, obligations, guidance }: Decision): readonly string[] {
  return [
    ...(transformed ? [`becomes ${canonicalJson(transformed.parameters)}`, ...transformed.changes.map(({ rule, path, from, to }) => `${path}: ${canonicalJson(from)} → ${canonicalJson(to)}, by ${rule}`)] : []),
    ...(approval ? [`asks ${String(approval.quorum)} of ${approval.approvers.join(approval.all_groups ? ' and ' : ' or ')}, within ${String(approval.timeout_s)} s`] : []),
    ...(deferral?.missing.map(({ field, subject, suppliers }) => `misses ${field}${subject === undefined ? '' : ` of ${subject}`}, from ${suppliers.join(' or ') || 'nobody'}`) ?? []),
    ...(deferral && deferral.conflict.length > 0 ? [`${deferral.conflict.join(' and ')} disagree`] : []),
    ...(deferral ? [`waits ${String(deferral.timeout_s)} s, then it is over`] : []),
    ...obligations.map((obligation) => `obliges ${canonicalJson(asJson(obligation))}`),
    ...(guidance === undefined ? [] : [`guidance: ${guidance}`]),
  ];
}
