import type { TrustRootChange } from '@/lib/authority/change-trust-root';
import type { DocumentOfChange, PreparedTrustChange, TrustChangeOutcome } from '@/lib/contracts/console/trust';
import type { SigningKey } from '@/lib/server/ed25519';
import type { ConsoleParts } from '@/lib/services/console/console-parts';
import { prepareTrustChange } from '@/lib/services/console/prepare-trust-change';
import { signTrustChange } from '@/lib/services/console/sign-trust-change';
import type { PersonId } from '@/lib/shared/ids';
import type { Result } from '@/lib/shared/result';

import { signText, valueOf } from './console-fixture';

export type Owner = { readonly person: PersonId; readonly key: SigningKey };

/** Signs whatever of the prepared documents this owner's key may sign, as the browser does, and sends it in. */
export async function signPrepared(parts: ConsoleParts, owner: Owner, prepared: PreparedTrustChange): Promise<Result<TrustChangeOutcome>> {
  const mine = (one: DocumentOfChange | null): boolean => one?.may_sign.some(({ keys }) => keys.includes(owner.key.id)) === true;
  const envelopes: { trust_root?: string; roster?: string; policy?: string; policy_revision?: string } = {};
  for (const name of ['trust_root', 'roster', 'policy', 'policy_revision'] as const) {
    const one = prepared[name];
    if (one && mine(one)) envelopes[name] = await signText(one.document, owner.key);
  }
  return await signTrustChange(parts, owner.person, { change: prepared.change, at: prepared.at, ...envelopes });
}

/** One change of the trust root, signed by each owner in turn; the outcome of the last signature. */
export async function changeRoot(parts: ConsoleParts, change: TrustRootChange, ...owners: readonly Owner[]): Promise<TrustChangeOutcome> {
  const prepared = valueOf(await prepareTrustChange(parts, change));
  let last: TrustChangeOutcome | undefined;
  for (const owner of owners) last = valueOf(await signPrepared(parts, owner, prepared));
  if (!last) throw new Error('Nobody signed.');
  return last;
}
