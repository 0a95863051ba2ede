import { originOf, signCheckpoint } from '@/lib/ledger/checkpoint';
import type { Signer } from '@/lib/shared/dsse';
import type { Sha256 } from '@/lib/shared/encoding';
import type { WorkspaceId } from '@/lib/shared/ids';

import type { SignCheckpoint } from './group-commit';

/** Signs tree heads with the plane's key: the only process that has one the root lets sign them. */
export const checkpointSigner =
  (parts: {
    readonly workspace: WorkspaceId;
    readonly sha256: Sha256;
    readonly key: { readonly publicKey: Uint8Array; readonly signer: Signer };
  }): SignCheckpoint =>
  async (size, root) =>
    await signCheckpoint(
      parts.sha256,
      { origin: originOf(parts.workspace), size: Number(size), root, extensions: [] },
      parts.key.publicKey,
      parts.key.signer.sign,
    );
