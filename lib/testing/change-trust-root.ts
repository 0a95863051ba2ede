import { parseTrustRoot } from '@/lib/authority/parse-trust-root';
import { signTrustRoot, trustRootDigest } from '@/lib/authority/sign-documents';
import type { TrustRoot } from '@/lib/authority/trust-root';
import { nodeSha256 } from '@/lib/server/node-sha256';
import { randomIds } from '@/lib/server/random-ids';
import { ownServiceKey } from '@/lib/server/service-keys';
import { receiptSigner } from '@/lib/services/sign-receipt';
import { envelopePayload, envelopeText, parseEnvelope } from '@/lib/shared/dsse';

import type { TestPlane } from './plane-fixture';

/** Brings the next trust root into force as a ceremony would: the owner signs it, the console's receipt states it, the epoch rises. */
export async function changeTrustRoot({ workspace, stores, owner, stateDirectory }: TestPlane, make: (before: TrustRoot) => TrustRoot): Promise<void> {
  const root = make(await newestRoot(stores));
  const consoleKey = await ownServiceKey(stateDirectory, 'console');
  const sign = receiptSigner({ workspace, sha256: nodeSha256, signer: consoleKey.signer, ids: randomIds() });
  const body = { version: root.version, digest: trustRootDigest(root, nodeSha256), previous_digest: root.previous, signers: [owner.id] };
  const envelope = envelopeText(await signTrustRoot(root, [owner.signer]));
  await stores.transactor.withHead(async (tx, { now }) => {
    await stores.authority.addTrustRoot(tx, { version: root.version, envelope });
    await stores.ledger.append(tx, [await sign('trust_root_changed', now, body, {})]);
    await stores.transactor.raiseEpoch(tx);
    await stores.events.publish(tx, [{ kind: 'epoch_raised', id: workspace }]);
  });
}

async function newestRoot(stores: TestPlane['stores']): Promise<TrustRoot> {
  const newest = (await stores.authority.trustRoots()).at(-1);
  const envelope = newest && parseEnvelope(newest.envelope);
  const bytes = envelope?.ok === true ? envelopePayload(envelope.value) : undefined;
  const root = bytes && parseTrustRoot(bytes);
  if (root?.ok !== true) throw new Error('There is no trust root.');
  return root.value;
}
