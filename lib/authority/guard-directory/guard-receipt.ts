import { z } from 'zod';

import { asJson } from '@/lib/shared/as-json';
import { countField, digestField, idField } from '@/lib/shared/document-fields';
import { readEnvelope, type Envelope } from '@/lib/shared/dsse';
import type { Digest, ProposalId, WorkspaceId } from '@/lib/shared/ids';
import { fail, ok, type Result } from '@/lib/shared/result';
import { parseStrictJson } from '@/lib/shared/strict-json';

import type { GuardAllowlist } from './guard-allowlist';
import { guardBounds } from './guard-files';
import type { GuardProposal } from './guard-proposal';
import { sortedJsonBytes } from './sorted-json';

export const guardReceiptSchema = 'countersign/guard-receipt/v1';

/** An owner's signature in a ledger that let a console do it: enough to check it with that workspace's trust root alone. */
export type GuardAuthority = { readonly workspace: WorkspaceId; readonly proposal: ProposalId; readonly envelope: Envelope };

const authority = z.strictObject({
  workspace: idField('workspace'),
  proposal: idField('proposal'),
  envelope: z.custom<Envelope>((value) => readEnvelope(value) !== undefined, 'not a DSSE envelope'),
});
const common = {
  schema: z.literal(guardReceiptSchema),
  proposal_sha256: digestField,
  permission: z.string().min(1),
  owner_uid: z.int(),
  at: z.string(),
  signed: authority.exactOptional(),
};
const fields = z.discriminatedUnion('result', [
  z.strictObject({ ...common, result: z.literal('APPLIED'), revision: countField(2), allowlist_sha256_before: digestField, allowlist_sha256_after: digestField }),
  z.strictObject({ ...common, result: z.literal('REJECTED'), revision: countField(1), allowlist_sha256: digestField, reason: z.string().max(guardBounds.reasonLength) }),
]);

/** What became of a proposal, on the side that agents cannot write. */
export type GuardReceipt = z.infer<typeof fields>;

export function readGuardReceipt(bytes: Uint8Array): Result<GuardReceipt> {
  const json = parseStrictJson(bytes);
  const parsed = json.ok ? fields.safeParse(json.value) : undefined;
  return parsed?.success === true ? ok(parsed.data) : fail('invalid_input', `The receipt is not of the form ${guardReceiptSchema}.`);
}

/** `at` and digests come from the allowlist itself, so that a receipt made up for after a crash says the same. */
export const appliedReceipt = (before: Digest, after: GuardAllowlist, proposal: GuardProposal, signed?: GuardAuthority): Uint8Array =>
  sortedJsonBytes({
    schema: guardReceiptSchema,
    result: 'APPLIED',
    proposal_sha256: proposal.id,
    permission: proposal.permission,
    revision: after.revision,
    allowlist_sha256_before: before,
    allowlist_sha256_after: after.digest,
    owner_uid: after.ownerUid,
    at: after.applied?.at ?? '',
    ...(signed === undefined ? {} : { signed: asJson(signed) }),
  });

export const rejectedReceipt = (current: GuardAllowlist, proposal: GuardProposal, reason: string, at: string, signed?: GuardAuthority): Uint8Array =>
  sortedJsonBytes({
    schema: guardReceiptSchema,
    result: 'REJECTED',
    proposal_sha256: proposal.id,
    permission: proposal.permission,
    revision: current.revision,
    allowlist_sha256: current.digest,
    reason,
    owner_uid: current.ownerUid,
    at,
    ...(signed === undefined ? {} : { signed: asJson(signed) }),
  });
