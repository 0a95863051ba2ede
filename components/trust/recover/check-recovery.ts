import { nextTrustRoot } from '@/lib/authority/next-trust-root';
import { parseTrustRoot } from '@/lib/authority/parse-trust-root';
import { trustRootBytes } from '@/lib/authority/sign-documents';
import type { OwnerKey } from '@/lib/authority/trust-root';
import { sha256 } from '@/lib/client/hash';
import type { PreparedTrustChange, TrustView } from '@/lib/contracts/console/trust';
import { bytesEqual, digestOf, utf8 } from '@/lib/shared/encoding';
import { isTimestamp } from '@/lib/shared/timestamp';

/**
 * What is wrong with the document, or null. The server wrote it; the browser makes it once more from the root in force and the chosen
 * owners, so that the recovery key signs nothing else.
 */
export function checkRecovery({ at, before, trust_root }: PreparedTrustChange, view: Pick<TrustView, 'digest'>, owners: readonly OwnerKey[]): string | null {
  const root = parseTrustRoot(utf8(before));
  if (!root.ok || !isTimestamp(at) || digestOf(sha256, utf8(before)) !== view.digest) return 'It is not made of the trust root that this page shows.';
  const expected = trustRootBytes(nextTrustRoot(root.value, { owners }, { createdAt: at, sha256 }));
  return bytesEqual(expected, utf8(trust_root.document.text)) ? null : 'It changes something else than the owners that you chose.';
}
