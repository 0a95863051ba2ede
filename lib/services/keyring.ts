import { covers } from '@/lib/authority/service-keys';
import type { ServiceKey, ServiceRole } from '@/lib/authority/trust-root';
import { KeyNotDelegated, type KeySigner } from '@/lib/ports/signer';
import type { Signer } from '@/lib/shared/dsse';

import type { InForce } from './in-force';

/** `until`: the last log position at which what it signs counts. What lands behind it must not be appended. */
export type KeyInUse = Signer & { readonly until?: number };

/** What is known of a process's keys. Plain data: the commit thread is told the same. */
export type KeyStanding = {
  /** As the root in force lists them; null: there is no root yet, and the first one will delegate from the beginning. */
  readonly services: readonly ServiceKey[] | null;
  /** The position that the next receipt takes, as of the last look. It only grows. */
  readonly position: number;
  /** The database is behind what was served: no tree head of it is signed, because it would contradict one that was. */
  readonly halted: boolean;
};

/**
 * What a look at the authority says of the keys; undefined when it says nothing (no root could be verified), and what was known stands.
 */
export function standingOf({ root, size = 0, denied }: Pick<InForce, 'root' | 'size' | 'denied'>): KeyStanding | undefined {
  if (root) return { services: root.root.services, position: size, halted: denied === 'rollback_detected' };
  return denied === 'rollback_detected' ? { services: null, position: size, halted: true } : undefined;
}

export type Keyring = {
  /** The key that signs receipts now. Throws `KeyNotDelegated` when the root lets none of this process. */
  readonly current: () => KeyInUse;
  /** The key that may sign the tree head whose last leaf is at this position; null: none may, so that head stays unsigned. */
  readonly at: (position: number) => KeySigner | null;
  /** Whether receipts can be signed at all. */
  readonly canSign: () => boolean;
  readonly standing: () => KeyStanding;
  readonly follow: (standing: KeyStanding) => void;
  /** The log has grown to this size: a successor's range may have begun. */
  readonly reached: (size: number) => void;
};

/**
 * The keys of one process under the trust root. Where several may sign, the one whose range began last does: so a process changes
 * over to its new key during the overlap, by itself, and the old one is out of use before it ends.
 */
export function keyring(role: ServiceRole, keys: readonly [KeySigner, ...KeySigner[]]): Keyring {
  let standing: KeyStanding = { services: null, position: 0, halted: false };
  let inUse: KeyInUse | null = keys[0];

  const listed = (position: number): { readonly signer: KeySigner; readonly service: ServiceKey } | undefined =>
    (standing.services ?? [])
      .flatMap((service) => {
        const signer = keys.find(({ keyId }) => keyId === service.key.id);
        return signer && service.role === role && covers(service, position) ? [{ signer, service }] : [];
      })
      .reduce<{ readonly signer: KeySigner; readonly service: ServiceKey } | undefined>((best, one) => (best && best.service.from >= one.service.from ? best : one), undefined);

  const choose = (): void => {
    if (standing.services === null) return void (inUse = keys[0]);
    const found = listed(standing.position);
    inUse = found ? { ...found.signer, ...(found.service.to === undefined ? {} : { until: found.service.to }) } : null;
  };

  return {
    current: () => {
      if (!inUse) throw new KeyNotDelegated(standing.position);
      return inUse;
    },
    at: (position) => {
      if (standing.halted) return null;
      return standing.services === null ? keys[0] : (listed(position)?.signer ?? null);
    },
    canSign: () => inUse !== null,
    standing: () => standing,
    follow: (seen) => {
      standing = { ...seen, position: Math.max(seen.position, standing.position) };
      choose();
    },
    reached: (size) => {
      if (size <= standing.position) return;
      standing = { ...standing, position: size };
      choose();
    },
  };
}
