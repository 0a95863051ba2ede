import { canonicalJson } from '@/lib/shared/canonical-json';
import { asJson } from '@/lib/shared/as-json';
import type { KeyId } from '@/lib/shared/ids';
import type { PublicKeyEntry } from '@/lib/shared/keys';
import type { Sha256 } from '@/lib/shared/encoding';
import { fail, ok, type Result } from '@/lib/shared/result';
import type { Timestamp } from '@/lib/shared/timestamp';

import { keyIdsHold } from './key-ids';
import { nextTrustRoot, revokeServiceKey, rotateServiceKey } from './next-trust-root';
import { parseTrustRoot } from './parse-trust-root';
import { trustRootBytes } from './sign-documents';
import type { KeyKindRules, OwnerKey, TrustRoot } from './trust-root';

/** What the owners want to be otherwise. Each part that is given replaces that part whole; what is left out stays. */
export type TrustRootChange = {
  readonly owners?: readonly OwnerKey[];
  readonly thresholds?: Omit<TrustRoot['thresholds'], 'recovery'>;
  readonly key_kinds?: KeyKindRules;
  readonly cool_off_seconds?: number;
  readonly recovery_key?: PublicKeyEntry;
  readonly service?: ServiceKeyChange;
};

/** See `next-trust-root.ts`: positions are those of the log. `last_good` null: nothing that the key ever signed counts. */
export type ServiceKeyChange =
  | { readonly does: 'rotate'; readonly retired: KeyId; readonly successor: PublicKeyEntry; readonly from: number; readonly until: number }
  | { readonly does: 'revoke'; readonly key: KeyId; readonly last_good: number | null };

/**
 * The one next version that a change makes of a root, not signed yet. Pure, so that what owners are asked to sign and what their
 * signatures are compared with are the same bytes. `trust_root_invalid` says why nobody could live with it.
 */
export function changedTrustRoot(before: TrustRoot, change: TrustRootChange, by: { readonly createdAt: Timestamp; readonly sha256: Sha256 }): Result<TrustRoot> {
  const services = changedServices(before, change, by);
  if (!services.ok) return services;
  const next = nextTrustRoot(
    before,
    {
      services: services.value,
      ...(change.owners && { owners: change.owners }),
      ...(change.thresholds && { thresholds: { ...change.thresholds, recovery: 1 } }),
      ...(change.key_kinds && { key_kinds: change.key_kinds }),
      ...(change.cool_off_seconds === undefined ? {} : { cool_off_seconds: change.cool_off_seconds }),
      ...(change.recovery_key && { recovery: { key: change.recovery_key } }),
    },
    by,
  );
  if (sameButForVersion(before, next)) return fail('trust_root_invalid', 'This would change nothing.');
  const keys = [...next.owners.map(({ key }) => key), ...next.services.map(({ key }) => key), next.recovery.key];
  if (!keyIdsHold(keys, by.sha256)) return fail('trust_root_invalid', "A key's id is not the hash of the key.");
  const read = parseTrustRoot(trustRootBytes(next));
  if (read.ok) return read;
  const why = (read.error.issues ?? []).map(({ message }) => message).join(' ');
  return fail('trust_root_invalid', why === '' ? read.error.detail : why, { cause: read.error });
}

function changedServices(before: TrustRoot, { service }: TrustRootChange, by: Parameters<typeof changedTrustRoot>[2]): Result<TrustRoot['services']> {
  try {
    if (service?.does === 'rotate') return ok(rotateServiceKey(before, service, by).services);
    if (service?.does === 'revoke') return ok(revokeServiceKey(before, service.key, service.last_good, by).services);
  } catch (cause) {
    if (cause instanceof RangeError) return fail('trust_root_invalid', cause.message, { cause });
    throw cause;
  }
  return ok(before.services);
}

const sameButForVersion = (before: TrustRoot, after: TrustRoot): boolean => {
  const { version, previous, created_at } = before;
  return canonicalJson(asJson({ ...after, version, previous, created_at })) === canonicalJson(asJson(before));
};
