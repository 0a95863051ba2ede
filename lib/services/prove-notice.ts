import type { TrustRoot } from '@/lib/authority/trust-root';
import { recoveryNoticeSeconds, type Cryptography } from '@/lib/authority/verify-trust-root';
import { leafHashOf, leafText, previousOf } from '@/lib/ledger/leaf';
import { readStatement } from '@/lib/ledger/statement';
import type { LedgerReader, StoredLeaf } from '@/lib/ports/ledger-reader';
import type { SeenRecovery } from '@/lib/ports/recovery-memory';
import { parseEnvelope } from '@/lib/shared/dsse';
import type { Digest } from '@/lib/shared/ids';
import { fail, ok, type Result } from '@/lib/shared/result';

import { isLeafAt, type ProvenHead } from './proven-place';
import { provenInPlace } from './proven-receipt';

const rowsAtOnce = 1000;

export type NoticeParts = { readonly log: Pick<LedgerReader, 'leaves' | 'hashes'>; readonly cryptography: Cryptography };

/**
 * That nobody cancelled a recovery from its announcement up to position `last`: every leaf between is read, each names the hash of the one
 * before, and the last is in the tree of the head. A cancellation that was deleted, moved or altered breaks that chain; columns and filters
 * of rows are not relied on. Gives the last receipt. Failures: `conflict` (cancelled), `ledger_broken`.
 */
export async function proveNotCancelled(parts: NoticeParts, seen: SeenRecovery, last: number, head: ProvenHead, root: TrustRoot): Promise<Result<StoredLeaf>> {
  const { log, cryptography } = parts;
  const { sha256 } = cryptography;
  const [first] = await log.leaves(BigInt(seen.index), BigInt(seen.index + 1), 1);
  if (!first || !(await announces(first, seen, root, cryptography))) return broken('The announcement of the recovery is not where it was seen.');
  let [hash] = seen.index === 0 ? [] : await log.hashes.leafHashes(seen.index - 1, seen.index);
  let end: StoredLeaf | undefined;
  for (let next = seen.index; next <= last; ) {
    const rows = await log.leaves(BigInt(next), BigInt(last + 1), rowsAtOnce);
    for (const row of rows) {
      if (Number(row.index) !== next) return broken(`Receipt ${String(next)} is missing.`);
      if (cancelsRecovery(row, seen.digest, cryptography)) return fail('conflict', 'An owner has cancelled this recovery.');
      hash = leafHashOf(sha256, leafText(row.envelope, next, previousOf(hash)));
      end = row;
      next += 1;
    }
    if (rows.length === 0) return broken(`Receipt ${String(next)} is missing.`);
  }
  if (!end || !hash || !(await isLeafAt(log, sha256, last, hash, head))) return broken('The receipts since the announcement of the recovery are not those of the log.');
  return ok(end);
}

/** Seconds between an announcement and the receipt that brings its root into force, once nobody is proved to have cancelled between. */
export async function provenNotice(parts: NoticeParts, seen: SeenRecovery, changed: number, head: ProvenHead, root: TrustRoot): Promise<Result<number>> {
  const last = await proveNotCancelled(parts, seen, changed, head, root);
  if (!last.ok) return last;
  const body = await provenInPlace(last.value, root, parts.cryptography);
  if (!body.ok) return body;
  if (body.value.kind !== 'trust_root_changed' || body.value.predicate.digest !== seen.digest) return broken('Another receipt than that of the recovered trust root.');
  return ok((Date.parse(body.value.predicate.at) - Date.parse(seen.announced_at)) / 1000);
}

/** When the notice is over by both clocks, in milliseconds since 1970: the log's, and that of the process that saw it first. */
export const noticeOver = ({ announced_at, seen_at }: SeenRecovery) => ({
  log: Date.parse(announced_at) + recoveryNoticeSeconds * 1000,
  own: Date.parse(seen_at) + recoveryNoticeSeconds * 1000,
});

async function announces(row: StoredLeaf, { digest, announced_at, receipt }: SeenRecovery, root: TrustRoot, cryptography: Cryptography): Promise<boolean> {
  const body = await provenInPlace(row, root, cryptography);
  return body.ok && body.value.kind === 'recovery_announced' && body.value.predicate.digest === digest && body.value.predicate.at === announced_at && body.value.predicate.receipt === receipt;
}

/** It counts as it stands, whoever signed it: it only tightens. */
export function cancelsRecovery(row: StoredLeaf, digest: Digest, { sha256 }: Pick<Cryptography, 'sha256'>): boolean {
  const envelope = parseEnvelope(row.envelope);
  const body = envelope.ok ? readStatement(sha256, envelope.value) : envelope;
  return body.ok && body.value.kind === 'recovery_cancelled' && body.value.predicate.digest === digest;
}

const broken = (detail: string) => fail('ledger_broken', detail, { fix: 'Run "countersign fsck".' });
