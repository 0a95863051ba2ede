import { z } from 'zod';

import { countField } from '@/lib/shared/document-fields';
import { digestOf, type Sha256 } from '@/lib/shared/encoding';
import type { Digest } from '@/lib/shared/ids';
import { isJsonObject, type JsonObject } from '@/lib/shared/json';
import { fail, ok, type Result } from '@/lib/shared/result';
import { parseStrictJson } from '@/lib/shared/strict-json';
import type { Timestamp } from '@/lib/shared/timestamp';

import { guardBounds } from './guard-files';
import { sortedJsonBytes } from './sorted-json';

export const allowlistSchema = 'self-modification-refusing-guard/v1';
/** What an agent may do before anybody has asked for anything. */
export const firstPermission = 'inspect-status';

/** User ids as POSIX systems have them; the largest means "no change" to the system calls. */
export const uidField = z.int().min(0).max(0xffff_fffe);

/** Other members are kept as they are: the file is the owner's, and other programs write their own into it. */
const fields = z.looseObject({
  schema: z.literal(allowlistSchema),
  revision: countField(1),
  owner_uid: uidField,
  agent_uid: uidField,
  allowlist: z.array(z.string().min(1)),
  applied_proposal_sha256: z.string().optional(),
  applied_at: z.string().optional(),
});

/** `managed/allowlist.json`, as it was read: its bytes, their SHA-256, and what they say. */
export type GuardAllowlist = {
  readonly bytes: Uint8Array;
  readonly digest: Digest;
  readonly document: JsonObject;
  readonly revision: number;
  readonly ownerUid: number;
  readonly agentUid: number;
  readonly permissions: readonly string[];
  /** The proposal that made this revision; undefined for the first. */
  readonly applied: { readonly proposal: string; readonly at: string | undefined } | undefined;
};

/** Faults: what the JSON reader says, `invalid_input` for what does not fit. Owner and agent being one user is such a fault: nothing would be guarded. */
export function readGuardAllowlist(bytes: Uint8Array, sha256: Sha256): Result<GuardAllowlist> {
  const json = parseStrictJson(bytes, { depth: 32, nodes: 50_000, length: guardBounds.allowlistBytes });
  if (!json.ok) return fail(json.error.code, `The allowlist cannot be read: ${json.error.detail}`);
  const parsed = fields.safeParse(json.value);
  if (!parsed.success || !isJsonObject(json.value)) {
    const place = parsed.error?.issues[0]?.path.join('.') ?? '';
    return fail('invalid_input', `The allowlist is not of the form ${allowlistSchema}${place === '' ? '' : `: ${place}`}.`);
  }
  const { revision, owner_uid, agent_uid, allowlist, applied_proposal_sha256, applied_at } = parsed.data;
  if (owner_uid === agent_uid) return fail('invalid_input', 'The allowlist names one user as owner and agent.');
  return ok({
    bytes,
    digest: digestOf(sha256, bytes),
    document: json.value,
    revision,
    ownerUid: owner_uid,
    agentUid: agent_uid,
    permissions: allowlist,
    applied: applied_proposal_sha256 === undefined ? undefined : { proposal: applied_proposal_sha256, at: applied_at },
  });
}

/** The bytes of the first allowlist of a new state directory. */
export const firstAllowlist = (ownerUid: number, agentUid: number, at: Timestamp): Uint8Array =>
  sortedJsonBytes({
    schema: allowlistSchema, revision: 1, owner_uid: ownerUid, agent_uid: agentUid, allowlist: [firstPermission], initialized_at: guardTime(at),
  });

/** ALLOWED only for exactly what stands there: no prefixes, no patterns, no other spelling. */
export const isPermitted = (allowlist: GuardAllowlist, operation: string): boolean => allowlist.permissions.includes(operation);

/** Times in these files have seconds and an offset. */
export const guardTime = (at: Timestamp): string => `${at.slice(0, 19)}+00:00`;
