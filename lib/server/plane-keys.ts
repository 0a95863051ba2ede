import type { KeySigner } from '@/lib/ports/signer';

import type { Environment } from './env';
import { ownServiceKeys, writePublicKey } from './service-keys';
import { signerOfKey } from './signers/key-signer';
import { kmsSigner } from './signers/kms-signer';
import { readPrivateFile } from './signers/private-file';

export type PlaneKeys = {
  /** The process's own, and its successor in a rotation. */
  readonly receipts: readonly [KeySigner, ...KeySigner[]];
  /** The key service that signs checkpoints instead; null: the process's own keys do. */
  readonly checkpoints: KeySigner | null;
};

/** The plane's keys, as its settings and state directory have them. Throws for one that must not be used. */
export async function planeKeys({ stateDirectory, planeKey, checkpointKms }: Environment): Promise<PlaneKeys> {
  const [own, ...more] = await ownServiceKeys(stateDirectory, 'plane', planeKey);
  const receipts = [signerOfKey(own), ...more.map(signerOfKey)] as const;
  if (!checkpointKms) return { receipts, checkpoints: null };
  const { address, key, publicKey, token, tokenFile } = checkpointKms;
  const bearer = tokenFile === undefined ? token : (await readPrivateFile(tokenFile)).trim();
  await writePublicKey(stateDirectory, 'checkpoint', publicKey);
  return { receipts, checkpoints: kmsSigner({ address: { ...address, token: bearer }, key, publicKey }) };
}
