import { delegatedRanges, delegationAt, type RootInForce } from '@/lib/authority/service-keys';
import type { VerifiedTrustRoot } from '@/lib/authority/trust-root';
import type { Cryptography } from '@/lib/authority/verify-trust-root';
import { readStatement } from '@/lib/ledger/statement';
import type { LedgerReader, LogRow } from '@/lib/ports/ledger-reader';
import { parseEnvelope, verifiedSigners } from '@/lib/shared/dsse';
import { fromBase64 } from '@/lib/shared/encoding';
import type { Digest } from '@/lib/shared/ids';
import { fail, ok, type Result } from '@/lib/shared/result';

/** Roots change by ceremony: more than this many never came into force. */
const most = 1000;

/**
 * The newest of a chain of trust roots, listing the service keys of all of them with the log positions at which each one counts: a
 * process relies on receipts from before a rotation, also when the root lists the old key no longer. Where a root came into force is
 * read from the log once; a root that no well-signed receipt brought into force is `trust_root_invalid`.
 */
export function rootsInLog(log: Pick<LedgerReader, 'search'>, cryptography: Cryptography): (chain: readonly VerifiedTrustRoot[]) => Promise<Result<VerifiedTrustRoot>> {
  const placed = new Map<Digest, number>();

  return async (chain) => {
    const newest = chain.at(-1);
    if (!newest) return fail('trust_root_invalid', 'There is no trust root.');
    // A single root is in force from the beginning, wherever its receipt lies.
    if (chain.length === 1) return ok(newest);
    const rows = chain.every(({ digest }) => placed.has(digest)) ? [] : (await log.search({ kind: 'trust_root_changed' }, { limit: most })).rows;
    const inForce: RootInForce[] = [];
    for (const { root, digest } of chain) {
      const index = placed.get(digest) ?? (await positionOf(digest, root, inForce, rows, cryptography));
      if (index === undefined || index <= (inForce.at(-1)?.index ?? -1)) return fail('trust_root_invalid', `No receipt brings trust root ${String(root.version)} into force.`);
      placed.set(digest, index);
      inForce.push({ index, root });
    }
    return ok({ ...newest, root: { ...newest.root, services: delegatedRanges(inForce) }, history: inForce });
  };
}

async function positionOf(
  digest: Digest,
  root: VerifiedTrustRoot['root'],
  before: readonly RootInForce[],
  rows: readonly LogRow[],
  { sha256, verify }: Cryptography,
): Promise<number | undefined> {
  for (const row of [...rows].reverse()) {
    const envelope = parseEnvelope(row.envelope);
    const body = envelope.ok ? readStatement(sha256, envelope.value) : envelope;
    if (!envelope.ok || !body.ok || body.value.kind !== 'trust_root_changed' || body.value.predicate.digest !== digest) continue;
    const index = Number(row.index);
    const keyId = envelope.value.signatures[0]?.keyid ?? '';
    const delegation = delegationAt([...before, { index: before.length === 0 ? 0 : index, root }], keyId, index);
    const key = delegation.state === 'delegated' ? fromBase64(delegation.service.key.public_key) : undefined;
    if (key && (await verifiedSigners(envelope.value, new Map([[keyId, key]]), verify)).has(keyId)) return index;
  }
  return undefined;
}
