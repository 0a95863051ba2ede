import { serviceKeysOf } from '@/lib/authority/service-keys';
import type { TrustRoot } from '@/lib/authority/trust-root';
import type { Cryptography } from '@/lib/authority/verify-trust-root';
import { openCheckpoint, originOf } from '@/lib/ledger/checkpoint';
import type { LedgerReader } from '@/lib/ports/ledger-reader';
import { fromBase64 } from '@/lib/shared/encoding';
import type { WorkspaceId } from '@/lib/shared/ids';

import type { ReplayRange } from './replay-log';

/** A proof looks back over at most so many receipts, the newest; what is left out is said. */
export const mostReceipts = 400_000;

type Parts = { readonly log: Pick<LedgerReader, 'latestCheckpoint' | 'byIndex'>; readonly cryptography: Cryptography; readonly workspace: WorkspaceId };

/** The tree head that the plane's key signed last; null when none is there, or none verifies: then nothing of the log is relied on. */
export async function coveredHead({ log, cryptography, workspace }: Parts, root: TrustRoot): Promise<{ readonly size: number; readonly root: Uint8Array } | null> {
  const latest = await log.latestCheckpoint();
  if (!latest || latest.size === 0n) return null;
  const keys = serviceKeysOf(root, 'plane', Number(latest.size) - 1).flatMap(({ key }) => fromBase64(key.public_key) ?? []);
  const opened = await openCheckpoint(cryptography.sha256, cryptography.verify, latest.note, originOf(workspace), keys);
  return opened.ok && BigInt(opened.value.size) === latest.size ? opened.value : null;
}

/** The receipts since a time (ISO, UTC), as far as a signed checkpoint covers them. */
export async function replayRange(parts: Parts, root: TrustRoot, since: string): Promise<ReplayRange | null> {
  const head = await coveredHead(parts, root);
  if (!head) return null;
  const begins = await firstSince(parts.log, since, head.size);
  const from = Math.max(begins, head.size - mostReceipts);
  return { from, to: head.size, since, root: head.root, leftOut: from - begins };
}

/** Log time never goes back but for what was signed a moment earlier, so halving finds where a period begins to within such a moment. */
async function firstSince(log: Parts['log'], since: string, size: number): Promise<number> {
  let [low, high] = [0, size];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const row = await log.byIndex(BigInt(middle));
    if (row && row.at >= since) high = middle;
    else low = middle + 1;
  }
  return low;
}
