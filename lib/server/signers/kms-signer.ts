import { z } from 'zod';

import { SignerUnavailable, type KeySigner } from '@/lib/ports/signer';
import { fromBase64, toBase64 } from '@/lib/shared/encoding';
import { keyIdOf } from '@/lib/shared/keys';
import { parseStrictJson } from '@/lib/shared/strict-json';

import { verifyEd25519 } from '../ed25519';
import { nodeSha256 } from '../node-sha256';
import { postJson, type PostFault, type ServiceAddress } from '../post-json';

/** Where a key service is asked, and which of its keys signs. `publicKey` is raw, 32 bytes: the service's word for it is never taken. */
export type KmsSettings = { readonly address: ServiceAddress; readonly key: string; readonly publicKey: Uint8Array };

/** An answer is one signature. */
const answerBytes = 4096;

/**
 * A key that never leaves its service. Signing is one POST of `{ "key", "algorithm": "ed25519", "message": base64 }` with a bearer
 * token, answered by `{ "key", "signature": base64 }`; a redirect, another key, another field or a late answer is no signature. The
 * signature is verified here before anybody sees it, so a service that errs or lies can delay a checkpoint but never falsify one.
 */
export function kmsSigner({ address, key, publicKey }: KmsSettings): KeySigner {
  return {
    keyId: keyIdOf(nodeSha256, publicKey),
    publicKey,
    sign: async (bytes) => {
      const posted = await postJson(address, { key, algorithm: 'ed25519', message: toBase64(bytes) }, answerBytes);
      if ('fault' in posted) throw new SignerUnavailable(`The key service ${inWords[posted.fault](address.deadlineMs)}.`);
      if (posted.status !== 200) throw new SignerUnavailable(`The key service answered ${String(posted.status)}.`);
      const json = parseStrictJson(posted.body);
      const answer = json.ok ? signed.safeParse(json.value) : null;
      if (!answer?.success) throw new SignerUnavailable('The key service answered with something else than a signature.');
      if (answer.data.key !== key) throw new SignerUnavailable('The key service answered for another key.');
      const signature = fromBase64(answer.data.signature);
      if (signature?.length !== 64 || !(await verifyEd25519(publicKey, bytes, signature))) {
        throw new SignerUnavailable('The key service answered with a signature that does not verify.');
      }
      return signature;
    },
  };
}

const signed = z.strictObject({ key: z.string().max(1024), signature: z.string().max(128) });

const inWords: Readonly<Record<PostFault, (deadlineMs: number) => string>> = {
  not_allowed: () => 'is not at a public, encrypted address, and nobody allowed that',
  late: (deadlineMs) => `did not answer within ${String(deadlineMs)} ms`,
  unreachable: () => 'could not be reached',
  too_large: () => `answered with more than ${String(answerBytes)} bytes`,
};
