import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import type { KeySigner } from '@/lib/ports/signer';
import { nodeSha256, nodeVerifySignature } from '@/lib/testing/node-crypto';
import { keyIdOf } from '@/lib/shared/keys';

export type SignerFixture = {
  readonly signer: KeySigner;
  /** Whatever else the adapter would give out if it were asked for its secret; nothing of this may show. */
  readonly secret: string;
};

/** What every signer promises, wherever its key lives. */
export function signerConformance(name: string, open: () => Promise<SignerFixture>): void {
  describe(`${name}: a signer`, () => {
    it('names its key by the hash of its public half', async () => {
      const { signer } = await open();
      expect(signer.publicKey).toHaveLength(32);
      expect(signer.keyId).toBe(keyIdOf(nodeSha256, signer.publicKey));
    });

    it('signs whatever bytes it is given, and the signature verifies over exactly those', async () => {
      const { signer } = await open();
      await fc.assert(
        fc.asyncProperty(fc.uint8Array({ maxLength: 500 }), async (bytes) => {
          const signature = await signer.sign(bytes);
          expect(signature).toHaveLength(64);
          expect(await nodeVerifySignature(signer.publicKey, bytes, signature)).toBe(true);
          expect(await nodeVerifySignature(signer.publicKey, Uint8Array.of(...bytes, 0), signature)).toBe(false);
        }),
        { numRuns: 12 },
      );
    });

    it('signs many at once without mixing them up', async () => {
      const { signer } = await open();
      const all = Array.from({ length: 20 }, (_, n) => Uint8Array.of(n));
      const signatures = await Promise.all(all.map((bytes) => signer.sign(bytes)));
      for (const [n, bytes] of all.entries()) expect(await nodeVerifySignature(signer.publicKey, bytes, signatures[n] ?? new Uint8Array())).toBe(true);
    });

    it('leaves the bytes that it signs as they are', async () => {
      const { signer } = await open();
      const bytes = Uint8Array.of(1, 2, 3);
      await signer.sign(bytes);
      expect([...bytes]).toEqual([1, 2, 3]);
    });

    it('shows nothing of its secret', async () => {
      const { signer, secret } = await open();
      expect(JSON.stringify(signer)).not.toContain(secret);
      expect(Object.keys(signer).sort()).toEqual(['keyId', 'publicKey', 'sign']);
    });
  });
}
