import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

import { nextTrustRoot } from '@/lib/authority/next-trust-root';
import { openCheckpoint, originOf } from '@/lib/ledger/checkpoint';
import { generateKey, verifyEd25519 } from '@/lib/server/ed25519';
import { nodeSha256 } from '@/lib/server/node-sha256';
import type { CheckpointHealth } from '@/lib/services/checkpoint-health';
import { toBase64 } from '@/lib/shared/encoding';
import { changeTrustRoot } from '@/lib/testing/change-trust-root';
import { listedFile, startTestPlane, type TestPlane } from '@/lib/testing/plane-fixture';
import { planePolicy } from '@/lib/testing/plane-policy';

const key = generateKey();
const liar = generateKey();
let kms: Server;
let plane: TestPlane;
let behaviour: 'hangs' | 'fails' | 'lies' | 'signs' = 'signs';

const signed = (message: string, response: ServerResponse, by: typeof key): void => {
  void by.signer.sign(Buffer.from(message, 'base64')).then((signature) => response.end(JSON.stringify({ key: 'log', signature: toBase64(signature) })));
};

beforeAll(async () => {
  kms = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { message } = JSON.parse(Buffer.concat(chunks).toString('utf8')) as { readonly message: string };
      if (behaviour === 'hangs') return;
      if (behaviour === 'fails') return void response.writeHead(500).end();
      signed(message, response, behaviour === 'lies' ? liar : key);
    });
  }).listen(0, '127.0.0.1');
  await once(kms, 'listening');
  plane = await startTestPlane(planePolicy, {}, {
    CHECKPOINT_KMS_URL: `http://127.0.0.1:${String((kms.address() as AddressInfo).port)}/sign`, CHECKPOINT_KMS_ALLOW_PRIVATE: 'true',
    CHECKPOINT_KMS_KEY: 'log', CHECKPOINT_KMS_PUBLIC_KEY: toBase64(key.publicKey), CHECKPOINT_KMS_TOKEN: 'token', CHECKPOINT_KMS_DEADLINE_MS: '300',
  });
}, 60_000);
afterAll(async () => {
  behaviour = 'signs';
  await plane.stop();
  kms.closeAllConnections();
  kms.close();
});

const health = async (): Promise<CheckpointHealth> => (await plane.call(null, 'GET', '/readyz')).body.checkpoints as CheckpointHealth;
const covered = async (): Promise<number> => Number((await plane.stores.log.latestCheckpoint())?.size ?? 0n);
const sizeNow = async (): Promise<number> => Number((await plane.stores.log.head()).size);
async function decides(): Promise<void> {
  const session = await plane.openSession('Take notes.');
  const { body } = await plane.call(plane.token('helper'), 'POST', '/v1/actions', { session, tool: 'notes', operation: 'write', parameters: { text: 'x' } });
  expect(body).toMatchObject({ decision: 'ALLOW' });
}

describe('a key service that signs checkpoints', () => {
  it('whose key the trust root does not list signs nothing: decisions go on, and the log is said to be behind', async () => {
    await decides();
    await vi.waitUntil(async () => (await health()).fault !== null, { timeout: 10_000 });
    expect(await health()).toMatchObject({ covered: 0, fault: 'No key of this process may sign the tree head.' });
    expect(await covered()).toBe(0);
  });

  it('covers the log once the root delegates its key, with checkpoints that verify under that key', async () => {
    const from = await sizeNow();
    await changeTrustRoot(plane, (before) =>
      nextTrustRoot(before, { services: [...before.services, { key: listedFile(key), role: 'plane', from }] }, { createdAt: new Date().toISOString(), sha256: nodeSha256 }));
    await decides();
    await vi.waitUntil(async () => (await covered()) === (await sizeNow()), { timeout: 10_000 });
    const note = (await plane.stores.log.latestCheckpoint())?.note ?? '';
    expect(await openCheckpoint(nodeSha256, verifyEd25519, note, originOf(plane.workspace), [key.publicKey])).toMatchObject({ ok: true });
    await vi.waitUntil(async () => (await health()).fault === null, { timeout: 10_000 });
  });

  it.each([['hangs', 'within 300 ms'], ['fails', 'answered 500'], ['lies', 'does not verify']] as const)(
    'that %s stops no decision; the checkpoint comes late, and never a false one',
    async (how, words) => {
      behaviour = how;
      const before = await covered();
      const begun = performance.now();
      await decides();
      await decides();
      // Two decisions take less than the service's deadline of each checkpoint would, were anybody waiting for it.
      expect(performance.now() - begun).toBeLessThan(10_000);
      await vi.waitUntil(async () => (await health()).fault?.includes(words), { timeout: 10_000 });
      expect(await health()).toMatchObject({ covered: before });
      expect(await covered()).toBe(before);
      behaviour = 'signs';
      await vi.waitUntil(async () => (await covered()) === (await sizeNow()), { timeout: 10_000 });
      await vi.waitUntil(async () => (await health()).fault === null, { timeout: 10_000 });
    },
  );
});
