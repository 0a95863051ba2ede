import { signatureVerifier } from '@/lib/shared/signature-verifier';

import { verifyEd25519 } from './ed25519';
import { nodeSha256 } from './node-sha256';
import { verifyP256 } from './verify-p256';

/** Signatures of every kind of key that documents list, passkeys among them. What signs receipts and checkpoints is Ed25519 alone. */
export const verifySignature = signatureVerifier({ ed25519: verifyEd25519, p256: verifyP256, sha256: nodeSha256 });
