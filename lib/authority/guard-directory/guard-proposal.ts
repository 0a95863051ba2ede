import { z } from 'zod';

import { countField, digestField } from '@/lib/shared/document-fields';
import { digestOf, type Sha256 } from '@/lib/shared/encoding';
import type { Digest } from '@/lib/shared/ids';
import { fail, ok, type Result } from '@/lib/shared/result';
import { parseStrictJson } from '@/lib/shared/strict-json';
import type { Timestamp } from '@/lib/shared/timestamp';

import { guardTime, type GuardAllowlist } from './guard-allowlist';
import { guardBounds } from './guard-files';
import { sortedJsonBytes } from './sorted-json';

export const guardProposalSchema = 'self-modification-proposal/v1';
/** Whom every proposal names as its maker. It is no evidence: who wrote the file is what the file system says. */
export const guardRequester = 'guard-self';

/**
 * A name that people read before they allow it: one line without characters that nobody sees or that turn the direction. An owner
 * must not be able to sign one thing while reading another.
 */
const unreadable = /[\u0000-\u001f\u007f-\u009f\u00ad\u034f\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/;
const permissionField = z
  .string()
  .min(1, 'is empty')
  .max(guardBounds.permissionLength, `is over ${String(guardBounds.permissionLength)} characters`)
  .refine((name) => name.isWellFormed() && name.trim() === name && !unreadable.test(name), 'has characters that cannot be read');

/** Strict: whoever writes into an inbox may write anything, and what is not understood must not be applied. */
const fields = z.strictObject({
  schema: z.literal(guardProposalSchema),
  requested_by: z.literal(guardRequester),
  requested_at: z.string().max(100),
  base_revision: countField(1),
  base_allowlist_sha256: digestField,
  add_permission: permissionField,
  reason: z.string(),
});

export type GuardProposal = {
  /** SHA-256 of the file's bytes. Another file is another proposal, were it only for a space. */
  readonly id: Digest;
  readonly bytes: Uint8Array;
  readonly permission: string;
  /** The requester's words, which nobody vouches for. */
  readonly reason: string;
  readonly requestedAt: string;
  readonly base: { readonly revision: number; readonly digest: Digest };
};

/** Faults say what is wrong without repeating what the file says. */
export function readGuardProposal(bytes: Uint8Array, sha256: Sha256): Result<GuardProposal> {
  const json = parseStrictJson(bytes, { depth: 4, nodes: 100, length: guardBounds.proposalBytes });
  if (!json.ok) return fail(json.error.code, `The proposal cannot be read: ${json.error.detail}`);
  const parsed = fields.safeParse(json.value);
  if (!parsed.success) {
    const place = parsed.error.issues[0]?.path.join('.') ?? '';
    return fail('invalid_input', `The proposal is not of the form ${guardProposalSchema}${place === '' ? '' : `: ${place}`}.`);
  }
  const { add_permission, reason, requested_at, base_revision, base_allowlist_sha256 } = parsed.data;
  return ok({
    id: digestOf(sha256, bytes),
    bytes,
    permission: add_permission,
    reason,
    requestedAt: requested_at,
    base: { revision: base_revision, digest: base_allowlist_sha256 },
  });
}

/** The bytes of a request for one more permission, written on this allowlist. */
export function makeGuardProposal(on: GuardAllowlist, permission: string, reason: string, at: Timestamp): Result<Uint8Array> {
  if (on.permissions.includes(permission)) return fail('conflict', `${permission} is allowed already.`);
  const document = {
    schema: guardProposalSchema,
    requested_by: guardRequester,
    requested_at: guardTime(at),
    base_revision: on.revision,
    base_allowlist_sha256: on.digest,
    add_permission: permission,
    reason,
  };
  const fits = fields.safeParse(document);
  if (!fits.success) return fail('invalid_input', `The permission ${fits.error.issues[0]?.message ?? 'cannot be used'}.`);
  if (!reason.isWellFormed()) return fail('invalid_unicode', 'The reason is not valid Unicode.');
  const bytes = sortedJsonBytes(document);
  return bytes.length > guardBounds.proposalBytes ? fail('too_large', `The reason makes the proposal longer than ${String(guardBounds.proposalBytes)} bytes.`) : ok(bytes);
}
