import { parsePolicyStatement } from '@/lib/authority/policy-statement';
import { policyPayloadType, policyRevisionPayloadType } from '@/lib/authority/policy-revision';
import { statementTypes } from '@/lib/authority/owner-statements';
import { sha256 } from '@/lib/client/hash';
import type { PreparedSigning, ProposalDetail } from '@/lib/contracts/console/proposals';
import { digestOf, utf8 } from '@/lib/shared/encoding';

type Shown = Pick<ProposalDetail, 'id' | 'text' | 'digest' | 'target' | 'change'>;

/** What gets signed must be what was shown, checked in this browser: why it is not; null when it is. */
export function faultOfPrepared(prepared: PreparedSigning, shown: readonly Shown[]): string | null {
  if (prepared.statement.payload_type !== statementTypes.proposal_signature || prepared.steps.length !== shown.length) return 'The server prepared another statement.';
  const steps: unknown = JSON.parse(prepared.statement.text);
  const listed: readonly unknown[] = typeof steps === 'object' && steps !== null && 'steps' in steps && Array.isArray(steps.steps) ? steps.steps : [];
  for (const [at, one] of shown.entries()) {
    const step = prepared.steps[at];
    const said = listed[at];
    const digest = digestOf(sha256, utf8(one.text));
    if (!step || typeof said !== 'object' || said === null || !('digest' in said) || !('proposal' in said) || !('class' in said)) return 'The statement cannot be read.';
    if (said.proposal !== one.id || said.digest !== digest || said.class !== one.change || digest !== one.digest) return 'The statement speaks of something else than you were shown.';
    if (one.target === 'grant') {
      const [grant, ...others] = step.documents;
      if (grant?.payload_type !== statementTypes.grant || grant.text !== one.text || others.length > 0) return 'The grant to sign is not the one that you were shown.';
    }
    if (one.target !== 'policy') continue;
    const [text, place, ...more] = step.documents;
    if (text?.payload_type !== policyPayloadType || text.text !== one.text) return 'The text to sign is not the text that you were shown.';
    const revision = place?.payload_type === policyRevisionPayloadType ? parsePolicyStatement(utf8(place.text)) : undefined;
    if (revision?.ok !== true || revision.value.digest !== digest || revision.value.proposal !== one.id || more.length > 0) return 'The revision statement speaks of another text.';
  }
  return null;
}
