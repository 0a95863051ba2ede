import type { ReceiptDetail } from '@/lib/contracts/console/receipts';
import { parseCheckpoint } from '@/lib/ledger/checkpoint';
import { writeInclusionDocument } from '@/lib/ledger/inclusion-document';
import { leafText, previousOf } from '@/lib/ledger/leaf';
import { inclusionProof, MissingHashes } from '@/lib/ledger/merkle/prove';
import type { ReceiptId } from '@/lib/shared/ids';
import { fail, ok, type Result } from '@/lib/shared/result';

import type { ConsoleParts } from '../console-parts';
import { receiptsOfAction } from '../receipts-of-action';
import { receiptRow } from './receipt-row';

/** One receipt with everything that a browser needs to check it alone. Failures: `not_found`, `ledger_broken`. */
export async function receiptDetail(parts: ConsoleParts, id: ReceiptId): Promise<Result<ReceiptDetail>> {
  const row = await parts.log.byId(id);
  if (!row) return fail('not_found', 'There is no such receipt.');
  const index = Number(row.index);
  const before = index === 0 ? undefined : await parts.log.byIndex(row.index - 1n);
  if (index > 0 && !before) return fail('ledger_broken', `The receipt before ${id} is missing.`);
  const beforeThat = index <= 1 ? undefined : await parts.log.byIndex(row.index - 2n);
  const proof = await proofOf(parts, index);
  if (!proof.ok) return proof;
  const [roots, inForce, related] = await Promise.all([
    parts.authority.trustRoots(),
    parts.inForce.current(),
    row.action ? receiptsOfAction(parts.log, row.action) : [],
  ]);
  return ok({
    row: receiptRow(row, inForce.roster?.roster),
    envelope: row.envelope,
    leaf: leafText(row.envelope, index, previousOf(before?.leaf_hash)),
    previous_leaf: before ? leafText(before.envelope, index - 1, previousOf(beforeThat?.leaf_hash)) : null,
    proof: proof.value,
    trust_roots: roots.map(({ envelope }) => envelope),
    fingerprint: inForce.root?.fingerprint ?? null,
    related: related.map((other) => receiptRow(other, inForce.roster?.roster)),
  });
}

async function proofOf(parts: ConsoleParts, index: number): Promise<Result<string | null>> {
  const covering = await parts.log.checkpointCovering(BigInt(index) + 1n);
  if (!covering) return ok(null);
  const checkpoint = parseCheckpoint(covering.note);
  if (!checkpoint.ok) return fail('ledger_broken', `The checkpoint of size ${covering.size} cannot be read.`, { cause: checkpoint.error });
  try {
    const path = await inclusionProof(parts.cryptography.sha256, parts.log.hashes, index, checkpoint.value.size);
    return ok(writeInclusionDocument({ index, path, checkpoint: covering.note }));
  } catch (cause) {
    // Others are missing, not this one: whoever looks into a damaged log still has to be able to read it.
    if (cause instanceof MissingHashes) return ok('');
    throw cause;
  }
}
