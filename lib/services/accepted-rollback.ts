import { comparePin, type Pin, type ShownState } from '@/lib/authority/pins';
import type { TrustRoot } from '@/lib/authority/trust-root';
import { asJson } from '@/lib/shared/as-json';
import { canonicalJson } from '@/lib/shared/canonical-json';
import { err, ok, type Result } from '@/lib/shared/result';
import type { LedgerReader } from '@/lib/ports/ledger-reader';
import { faultOfAcceptance } from '@/lib/verify/rollback-acceptance';

import { everyReceipt } from './every-receipt';
import type { Proving } from './proven-place';
import { provenAt } from './proven-receipt';

type Parts = { readonly log: Pick<LedgerReader, 'search'>; readonly cryptography: Proving };

/**
 * The pin to go on from: this one, or the state that an owner accepted in exactly its place. The acceptance counts when a service of
 * this workspace recorded it, an owner of the root in force signed it, it names this very pin as what was served, and the database
 * goes on from what it names as found. So it serves each pin once: as soon as the pin moves, the same receipt is worth nothing.
 *
 * INVARIANT: a trust root never goes back. Who was an owner in an older root could otherwise accept that root again.
 */
export async function servedPin(pin: Pin, shown: ShownState, root: TrustRoot, shownTo: (to: Pin) => Promise<ShownState>, parts: Parts): Promise<Result<Pin>> {
  const compared = comparePin(pin, shown);
  if (compared.ok) return ok(pin);
  if (pin.log === null || shown.root_fingerprint !== pin.root_fingerprint || shown.root_version < pin.root_version) return compared;
  for await (const row of everyReceipt(parts.log, { kind: 'rollback_accepted' })) {
    const body = await provenAt(row, root, parts.cryptography);
    if (!body.ok || body.value.kind !== 'rollback_accepted') continue;
    const { served, found } = body.value.predicate;
    const { root_version, roster_version, policy, log } = pin;
    if (canonicalJson(asJson(served)) !== canonicalJson(asJson({ root_version, roster_version, policy, log }))) continue;
    if (found.root_version < root_version || (await faultOfAcceptance(body.value.predicate, Number(row.index), root, parts.cryptography)) !== undefined) continue;
    const accepted: Pin = { ...pin, root_version: found.root_version, roster_version: found.roster_version, policy: found.policy, log: found.log };
    if (comparePin(accepted, await shownTo(accepted)).ok) return ok(accepted);
  }
  return err(compared.error);
}
