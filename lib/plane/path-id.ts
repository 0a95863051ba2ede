import type { Idempotency } from '@/lib/services/plane-services';
import { isId, type IdKind, type IdOf } from '@/lib/shared/ids';
import { fail, ok, type Result } from '@/lib/shared/result';

/** An id in a path. A malformed one is answered like one that does not exist. */
export const pathId = <Kind extends IdKind>(kind: Kind, text: string | undefined): Result<IdOf<Kind>> =>
  text !== undefined && isId(kind, text) ? ok(text) : fail('not_found', `There is no such ${kind}.`);

export const idempotencyOf = (call: { readonly idempotencyKey: string | null; readonly bodyDigest: string }): Idempotency | null =>
  call.idempotencyKey === null ? null : { key: call.idempotencyKey, body_digest: call.bodyDigest };
