import { delegatedRanges, delegationAt, type RootInForce } from '@/lib/authority/service-keys';
import type { VerifiedTrustRoot } from '@/lib/authority/trust-root';
import type { Cryptography } from '@/lib/authority/verify-trust-root';
import { readStatement } from '@/lib/ledger/statement';
import type { LedgerReader, LogRow } from '@/lib/ports/ledger-reader';
import { parseEnvelope, verifiedSigners } from '@/lib/shared/dsse';
import { fromBase64 } from '@/lib/shared/encoding';
import type { Digest } from '@/lib/shared/ids';
import { fail, ok, type Result } from '@/lib/shared/result';

import { receiptsOfKind } from './every-receipt';
import { isIncluded, type ProvenHead } from './proven-place';

export type RootsInLog = {
  /** Where the leaves that were read before say that roots came into force. */
  readonly know: (positions: ReadonlyMap<Digest, number>) => void;
  readonly placed: (chain: readonly VerifiedTrustRoot[], head: ProvenHead) => Promise<Result<VerifiedTrustRoot>>;
  /** The head turned out not to be one of the log that was served: what was found under it is looked for anew. */
  readonly forget: () => void;
  /**
   * Where the leaves say that roots came into force first, whatever rows let be found. False: a root was placed elsewhere, and the chain has
   * to be placed again. A receipt that is hidden and told again later would else leave a key that the root dropped good in between.
   */
  readonly agree: (positions: ReadonlyMap<Digest, number>) => boolean;
};

/**
 * The newest of a chain of trust roots, listing the service keys of all of them with the log positions at which each one counts: a
 * process relies on receipts from before a rotation, also when the root lists the old key no longer. Where a root came into force is
 * read from the log once, and proved to be there; a root that no well-signed receipt brought into force is `trust_root_invalid`.
 */
export function rootsInLog(log: Pick<LedgerReader, 'search' | 'hashes'>, cryptography: Cryptography): RootsInLog {
  const found = new Map<Digest, number>();

  const placed: RootsInLog['placed'] = async (chain, head) => {
    const newest = chain.at(-1);
    if (!newest) return fail('trust_root_invalid', 'There is no trust root.');
    // A single root is in force from the beginning, wherever its receipt lies.
    if (chain.length === 1) return ok(newest);
    const rows = chain.every(({ digest }) => found.has(digest)) ? [] : await receiptsOfKind(log, 'trust_root_changed');
    const isThere = (row: LogRow) => isIncluded(log, cryptography.sha256, row, head);
    const inForce: RootInForce[] = [];
    for (const { root, digest } of chain) {
      const index = found.get(digest) ?? (await positionOf(digest, root, inForce, rows, { ...cryptography, isThere }));
      if (index === undefined || index <= (inForce.at(-1)?.index ?? -1)) return fail('trust_root_invalid', `No receipt brings trust root ${String(root.version)} into force.`);
      found.set(digest, index);
      inForce.push({ index, root });
    }
    return ok({ ...newest, root: { ...newest.root, services: delegatedRanges(inForce) }, history: inForce });
  };
  const agree: RootsInLog['agree'] = (positions) => {
    const elsewhere = [...found].filter(([digest, index]) => positions.get(digest) !== index);
    for (const [digest] of elsewhere) {
      const index = positions.get(digest);
      if (index === undefined) found.delete(digest);
      else found.set(digest, index);
    }
    return elsewhere.length === 0;
  };
  const know: RootsInLog['know'] = (positions) => {
    for (const [digest, index] of positions) if (!found.has(digest)) found.set(digest, index);
  };
  return { know, placed, agree, forget: () => found.clear() };
}

async function positionOf(
  digest: Digest,
  root: VerifiedTrustRoot['root'],
  before: readonly RootInForce[],
  rows: readonly LogRow[],
  { sha256, verify, isThere }: Cryptography & { readonly isThere: (row: LogRow) => Promise<boolean> },
): Promise<number | undefined> {
  for (const row of rows) {
    const envelope = parseEnvelope(row.envelope);
    const body = envelope.ok ? readStatement(sha256, envelope.value) : envelope;
    if (!envelope.ok || !body.ok || body.value.kind !== 'trust_root_changed' || body.value.predicate.digest !== digest) continue;
    const index = Number(row.index);
    const keyId = envelope.value.signatures[0]?.keyid ?? '';
    const delegation = delegationAt([...before, { index: before.length === 0 ? 0 : index, root }], keyId, index);
    const key = delegation.state === 'delegated' ? fromBase64(delegation.service.key.public_key) : undefined;
    if (key && (await verifiedSigners(envelope.value, new Map([[keyId, key]]), verify)).has(keyId) && (await isThere(row))) return index;
  }
  return undefined;
}
