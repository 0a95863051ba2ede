import type { VerifySignature } from './dsse';
import { verifyAssertion, type SignatureFunctions } from './passkey/verify-assertion';

/**
 * One function for every key that documents list. The key says how it signs, never the signature: 32 bytes are an Ed25519 key and
 * take a raw signature of 64 bytes; anything else has to be a passkey's entry and takes an assertion. So no kind can stand for another.
 */
export const signatureVerifier = (functions: SignatureFunctions): VerifySignature => async (publicKey, bytes, signature) => {
  if (publicKey.length === 32) return signature.length === 64 && (await functions.ed25519(publicKey, bytes, signature));
  return (await verifyAssertion(publicKey, bytes, signature, functions)).ok;
};
