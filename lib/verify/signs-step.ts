import { z } from 'zod';

import { statementPayload, statementTypes, type ProposalStep } from '@/lib/authority/owner-statements';
import { changeClasses } from '@/lib/authority/policy-revision';
import type { ReceiptPredicate } from '@/lib/ledger/receipt-predicate';
import { maxStatementBytes } from '@/lib/ledger/statement';
import { digestField, idField } from '@/lib/shared/document-fields';
import { envelopePayload } from '@/lib/shared/dsse';
import { parseDocument } from '@/lib/shared/parse-document';

import { holdsDocument } from './signed-document';

const step = z.strictObject({
  proposal: idField('proposal'), base_digest: digestField.nullable(), digest: digestField, class: z.enum(changeClasses), proof_digest: digestField,
});
const outline = z.looseObject({ steps: z.array(step).min(1).max(100) });

/** True when the owner's signature covers this proposal as the receipt states it: alone, or in a chain whose steps build on each other. */
export function signsStep({ envelope, proposal, base_digest, digest, change, proof_digest, workspace }: ReceiptPredicate<'policy_signed'>): boolean {
  const payload = envelopePayload(envelope);
  const read = payload && parseDocument(outline, payload, maxStatementBytes);
  if (!read?.ok) return false;
  const steps: readonly ProposalStep[] = read.value.steps;
  if (!holdsDocument(envelope, statementTypes.proposal_signature, (at) => statementPayload('proposal_signature', workspace, { steps }, at))) return false;
  const chained = steps.every((one, at) => at === 0 || one.base_digest === steps[at - 1]?.digest);
  return chained && steps.some((one) =>
    one.proposal === proposal && one.base_digest === base_digest && one.digest === digest && one.class === change && one.proof_digest === proof_digest);
}
