import { bundlePartNames, type Bundle } from '@/lib/ledger/bundle';
import { countsOf, digestsOf, type BundleManifest } from '@/lib/ledger/bundle-manifest';
import { serviceKeyAt } from '@/lib/authority/service-keys';
import type { TrustRoot } from '@/lib/authority/trust-root';
import type { Cryptography } from '@/lib/authority/verify-trust-root';
import { verifiedSigners } from '@/lib/shared/dsse';
import { fromBase64 } from '@/lib/shared/encoding';

import { failed, passed, type Check } from './report';

/** The manifest is signed by a process that the newest root delegates, and everything in the file is what it lists. */
export async function checkManifest(
  bundle: Bundle,
  manifest: BundleManifest,
  root: TrustRoot | undefined,
  { sha256, verify }: Cryptography,
): Promise<Check> {
  const counts = countsOf(bundle);
  const digests = digestsOf(sha256, bundle);
  const wrong = bundlePartNames.find((name) => counts[name] !== manifest.counts[name] || digests[name] !== manifest.digests[name]);
  if (wrong) return failed('manifest', `The part “${wrong}” is not what the exporter signed.`);
  if (!root) return failed('manifest', 'Without a trust root nothing says whose key the exporter’s is.');
  if (manifest.workspace !== root.workspace) return failed('manifest', 'The manifest names another workspace than the trust root.');
  // An export covers positions below its size, so a key that ended there may still have signed it.
  const position = Math.max(manifest.size - 1, 0);
  const keys = new Map<string, Uint8Array>();
  for (const { keyid } of bundle.manifest.signatures) {
    const bytes = fromBase64(serviceKeyAt(root, keyid, position)?.key.public_key ?? '');
    if (bytes?.length === 32) keys.set(keyid, bytes);
  }
  const signers = await verifiedSigners(bundle.manifest, keys, verify);
  // Every signature has to hold: one that says nothing would be a place where bytes could change unseen.
  if (signers.size !== bundle.manifest.signatures.length) return failed('manifest', 'The exporter’s signature does not verify with a key that the trust root delegates.');
  return passed('manifest', `${bundle.leaves.length + bundle.anchors.length} receipts exported at ${manifest.created_at}.`);
}
