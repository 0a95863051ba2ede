import { policyPayloadType, policyRevisionPayloadType, policyRevisionSchema } from '@/lib/authority/policy-revision';
import { policyStatementBytes } from '@/lib/authority/policy-statement';
import { neededPolicySigners } from '@/lib/authority/verify-policy-revision';
import { inForceReference } from '@/lib/services/console/policy-base';
import { envelopeText } from '@/lib/shared/dsse';
import { utf8 } from '@/lib/shared/encoding';
import { fail } from '@/lib/shared/result';

import { applySignedRevision } from './apply-signed-revision';
import { earlierWith, rolledBackReceipt } from './earlier-text';
import type { ProposalTarget } from './proposal-target';

/** The next policy: its exact text, and the statement that gives it its number and base. */
export const policyTarget: ProposalTarget = {
  check: (parts, { text, format }) => parts.compile(text, format),
  base: inForceReference,
  neededSigners: neededPolicySigners,
  documents: ({ workspace }, { row, proposed, proof }) => [
    { payload_type: policyPayloadType, bytes: utf8(row.text) },
    {
      payload_type: policyRevisionPayloadType,
      bytes: policyStatementBytes({
        schema: policyRevisionSchema,
        workspace,
        revision: (row.base_revision ?? 0) + 1,
        base_digest: row.base_digest,
        digest: row.digest,
        class: proof.change,
        proposal: row.id,
        ...(proposed.not_counted === undefined ? {} : { not_counted: proposed.not_counted }),
        // The time of the proof, so that owners who sign days apart sign the same bytes.
        signed_at: proof.at,
      }),
    },
  ],
  apply: async (parts, by, { row, proof, envelopes, signers, proposed }) => {
    const [signature, statement] = envelopes;
    if (!signature || !statement) return fail('policy_signature_missing', 'The policy has no signature.');
    const replaces = row.base_revision === null || row.base_digest === null ? null : { revision: row.base_revision, digest: row.base_digest };
    const restores = await earlierWith(parts, row.digest, replaces);
    const applied = await applySignedRevision(
      parts,
      by,
      { text: row.text, format: row.format, signature: envelopeText(signature), statement: envelopeText(statement), origin: 'proposal' },
      {
        change: proof.change,
        proposal: { id: row.id, proof_digest: proof.proof_digest, self_signed: signers.some((person) => proposed.not_counted?.includes(person) === true) },
        ...(restores && replaces ? { beside: rolledBackReceipt(parts, { restores, replaces, by, reason: null }) } : {}),
      },
    );
    return applied.ok ? { ok: true, value: { revision: applied.value.revision } } : applied;
  },
};
