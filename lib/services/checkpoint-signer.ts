import { originOf, signCheckpoint } from '@/lib/ledger/checkpoint';
import type { KeySigner } from '@/lib/ports/signer';
import type { Sha256 } from '@/lib/shared/encoding';
import type { WorkspaceId } from '@/lib/shared/ids';

import type { SignCheckpoint } from './group-commit';

/**
 * Signs tree heads with the key that `at` gives for the head's last position: the plane's own, or a key service's. Rejects with
 * `SignerUnavailable` when that key does not answer with its signature; the log can wait for that, decisions never do.
 */
export const checkpointSigner =
  (parts: { readonly workspace: WorkspaceId; readonly sha256: Sha256; readonly at: (position: number) => KeySigner | null }): SignCheckpoint =>
  async (size, root) => {
    const key = size > 0n ? parts.at(Number(size) - 1) : null;
    if (!key) return null;
    const head = { origin: originOf(parts.workspace), size: Number(size), root, extensions: [] };
    return await signCheckpoint(parts.sha256, head, key.publicKey, key.sign);
  };
