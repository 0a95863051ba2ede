import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { nextTrustRoot, revokeServiceKey, rotateServiceKey } from '@/lib/authority/next-trust-root';
import type { TrustRoot } from '@/lib/authority/trust-root';
import { openCheckpoint, originOf } from '@/lib/ledger/checkpoint';
import { createPool } from '@/lib/db/pool';
import { generateKey, verifyEd25519, type SigningKey } from '@/lib/server/ed25519';
import { parseEnvironment } from '@/lib/server/env';
import { joinConsoleParts } from '@/lib/server/join-console-parts';
import { nodeSha256 } from '@/lib/server/node-sha256';
import { randomIds } from '@/lib/server/random-ids';
import { ownServiceKey } from '@/lib/server/service-keys';
import { parseEnvelope } from '@/lib/shared/dsse';
import { changeTrustRoot } from '@/lib/testing/change-trust-root';
import { callPlane, listedFile, startTestPlane, type TestPlane } from '@/lib/testing/plane-fixture';
import { startPlaneProcess } from '@/lib/testing/plane-process';
import { planePolicy } from '@/lib/testing/plane-policy';
import { runCli } from '@/lib/testing/run-cli';

let plane: TestPlane;
let session: string;
let planeKey: SigningKey;
let next: SigningKey;

beforeEach(async () => {
  plane = await startTestPlane(planePolicy);
  planeKey = await ownServiceKey(plane.stateDirectory, 'plane');
  next = generateKey();
  session = await plane.openSession('Take notes.');
}, 60_000);
afterEach(async () => {
  await plane.stop();
});

const note = (url = plane.url) =>
  callPlane(url, plane.token('helper'), 'POST', '/v1/actions', { session, tool: 'notes', operation: 'write', parameters: { text: 'x' } });
const sizeNow = async () => Number((await plane.stores.log.head()).size);
const made = () => ({ createdAt: new Date().toISOString(), sha256: nodeSha256 }) as const;

const bringIntoForce = (make: (before: TrustRoot) => TrustRoot): Promise<void> => changeTrustRoot(plane, make);

async function signersFrom(from: number): Promise<readonly string[]> {
  const rows = await plane.stores.log.range(BigInt(from), BigInt(await sizeNow()), 1000);
  return rows.map(({ envelope }) => {
    const read = parseEnvelope(envelope);
    return read.ok ? (read.value.signatures[0]?.keyid ?? '') : '';
  });
}

async function verdict(): Promise<{ readonly code: number; readonly out: string }> {
  const { log } = plane.stores;
  const { size } = await log.head();
  await vi.waitUntil(async () => (await log.checkpointCovering(size)) !== undefined, { timeout: 10_000 });
  const bundle = path.join(plane.stateDirectory, 'bundle.json');
  const exported = await runCli({ DATABASE_URL: plane.databaseUrl, COUNTERSIGN_STATE: plane.stateDirectory }, 'export', '--out', bundle);
  if (exported.code !== 0) throw new Error(exported.err);
  return await runCli({}, 'verify', bundle, '--root', plane.provisioned.fingerprint);
}

describe('a plane whose key rotates', () => {
  it('changes over to its next key during the overlap, by itself, and the whole log verifies', async () => {
    await writeFile(path.join(plane.stateDirectory, 'keys', 'plane.next.pem'), next.pem, { mode: 0o600 });
    const other = await plane.another();
    try {
      const from = (await sizeNow()) + 3;
      await bringIntoForce((before) => rotateServiceKey(before, { retired: planeKey.id, successor: listedFile(next), from, until: from + 200 }, made()));
      const begun = await sizeNow();
      await vi.waitUntil(async () => {
        expect((await note(other.url)).body).toMatchObject({ decision: 'ALLOW' });
        return (await signersFrom(begun)).includes(next.id);
      }, { timeout: 20_000, interval: 100 });
      const used = await signersFrom(begun);
      expect(used.lastIndexOf(planeKey.id)).toBeLessThan(used.indexOf(next.id));
      expect(used.indexOf(next.id)).toBeGreaterThanOrEqual(from - begun);
      expect(await verdict()).toMatchObject({ code: 0 });
    } finally {
      await other.stop();
    }
  });

  it('without a next key refuses to record anything behind the last position of its own, with a code, and says so when asked', async () => {
    const until = (await sizeNow()) + 4;
    await bringIntoForce((before) => rotateServiceKey(before, { retired: planeKey.id, successor: listedFile(next), from: until, until }, made()));
    const answers: number[] = [];
    await vi.waitUntil(async () => {
      const { status, body } = await note();
      answers.push(status);
      if (status !== 200 && status !== 201) expect(body).toMatchObject({ error: { code: 'service_key_not_delegated' } });
      return status === 503;
    }, { timeout: 20_000, interval: 50 });
    expect(answers.length).toBeGreaterThan(1);
    expect(await sizeNow()).toBeLessThanOrEqual(until + 1);
    await vi.waitUntil(async () => (await callPlane(plane.url, null, 'GET', '/readyz')).body.code === 'service_key_not_delegated', { timeout: 10_000 });
    for (let turn = 0; turn < 5; turn++) expect((await note()).status).toBe(503);
    expect(new Set(await signersFrom(until + 1))).toEqual(new Set());
    expect(await verdict()).toMatchObject({ code: 0 });
  });

  it('of which a key was revoked from a past position on goes on with its next key; what the old one signed there does not verify', async () => {
    await note();
    const good = await sizeNow();
    await note();
    await writeFile(path.join(plane.stateDirectory, 'keys', 'plane.next.pem'), next.pem, { mode: 0o600 });
    const other = await plane.another();
    try {
      const at = await sizeNow();
      await bringIntoForce((before) => nextTrustRoot(before, { services: [...revokeServiceKey(before, planeKey.id, good - 1, made()).services, { key: listedFile(next), role: 'plane', from: at }] }, made()));
      const from = await sizeNow();
      // What the old session rests on is withdrawn; a new one begins with the new key.
      await vi.waitUntil(async () => {
        const body = { human: 'requester@harbor.example', request: 'Take notes.', agent: 'helper' };
        const opened = await callPlane(other.url, plane.token('desk'), 'POST', '/v1/sessions', body);
        if (opened.status === 201) session = String(opened.body.id);
        return opened.status === 201 && (await signersFrom(from)).includes(next.id);
      }, { timeout: 10_000, interval: 100 });
      expect((await note(other.url)).body).toMatchObject({ decision: 'ALLOW' });
      const { code, out } = await verdict();
      expect(code).toBe(1);
      expect(out).toContain('withdrawn for its position by trust root 2');
      expect(out).toContain(String(good));
    } finally {
      await other.stop();
    }
  });

  it('of which a key was revoked from a past position on relies on nothing that it signed there, although the row says that it stands before', async () => {
    const pool = createPool({ url: plane.databaseUrl, max: 1, onIdleError: () => undefined });
    await note();
    const good = await sizeNow();
    const { body } = await note();
    await writeFile(path.join(plane.stateDirectory, 'keys', 'plane.next.pem'), next.pem, { mode: 0o600 });
    const other = await plane.another();
    try {
      const at = await sizeNow();
      await bringIntoForce((before) => nextTrustRoot(before, { services: [...revokeServiceKey(before, planeKey.id, good - 1, made()).services, { key: listedFile(next), role: 'plane', from: at }] }, made()));
      await vi.waitUntil(async () => (await callPlane(other.url, null, 'GET', '/readyz')).body.status === 'ready', { timeout: 10_000 });
      await pool.query("SET session_replication_role = 'replica'");
      await pool.query('DELETE FROM receipts WHERE index = $1', [good - 1]);
      expect(await pool.query(`UPDATE receipts SET index = $1 WHERE action_id = $2 AND kind = 'action_decided'`, [good - 1, body.id])).toMatchObject({ rowCount: 1 });
      const redeemed = await callPlane(other.url, plane.token('helper'), 'POST', `/v1/permits/${String(body.permit.id)}/redeem`);      expect(redeemed.status).toBe(503);
      expect(plane.log.at(-1)).toContain('is not what the log holds at its position');
    } finally {
      await other.stop();
      await pool.end();
    }
  });

  it('of which the root lists the old key no longer still relies on what that key signed before', async () => {
    await note();
    await writeFile(path.join(plane.stateDirectory, 'keys', 'plane.next.pem'), next.pem, { mode: 0o600 });
    const other = await plane.another();
    try {
      const from = (await sizeNow()) + 1;
      await bringIntoForce((before) => nextTrustRoot(before, { services: [...before.services.filter(({ role }) => role !== 'plane'), { key: listedFile(next), role: 'plane', from }] }, made()));
      const begun = await sizeNow();
      // The session began under the key that is gone, and goes on.
      await vi.waitUntil(async () => (await note(other.url)).body.decision === 'ALLOW' && (await signersFrom(begun)).includes(next.id), { timeout: 10_000, interval: 100 });
      expect(await verdict()).toMatchObject({ code: 0 });
    } finally {
      await other.stop();
    }
  });

  it('in a process of its own, with commits in a thread, signs receipts and tree heads with the next key', async () => {
    await writeFile(path.join(plane.stateDirectory, 'keys', 'plane.next.pem'), next.pem, { mode: 0o600 });
    const child = await startPlaneProcess(plane);
    try {
      const from = (await sizeNow()) + 1;
      await bringIntoForce((before) => rotateServiceKey(before, { retired: planeKey.id, successor: listedFile(next), from, until: from + 200 }, made()));
      const begun = await sizeNow();
      await vi.waitUntil(async () => (await note(child.url)).body.decision === 'ALLOW' && (await signersFrom(begun)).includes(next.id), { timeout: 20_000, interval: 100 });
      const { log } = plane.stores;
      await vi.waitUntil(async () => {
        const latest = (await log.latestCheckpoint())?.note ?? '';
        return (await openCheckpoint(nodeSha256, verifyEd25519, latest, originOf(plane.workspace), [next.publicKey])).ok;
      }, { timeout: 10_000 });
      expect(await verdict()).toMatchObject({ code: 0 });
    } finally {
      await child.stop();
    }
  }, 60_000);

  it('keeps a console going as well: what it signs changes over with its own next key', async () => {
    const own = await ownServiceKey(plane.stateDirectory, 'console');
    const pool = createPool({ url: plane.databaseUrl, max: 2, onIdleError: () => undefined });
    try {
      const settings = parseEnvironment({ DATABASE_URL: plane.databaseUrl, COUNTERSIGN_STATE: plane.stateDirectory });
      const parts = await joinConsoleParts({ settings, pool, workspace: plane.workspace, keys: [own, next], pinsOf: 'console' });
      const signer = async () => {
        await parts.inForce.refresh();
        const { envelope, until } = await parts.sign('user_administered', made().createdAt, { person: randomIds().make('person'), change: 'signed_in', by: { kind: 'service', id: 'console' } }, {});
        const read = parseEnvelope(envelope);
        return [read.ok ? read.value.signatures[0]?.keyid : null, until];
      };
      expect(await signer()).toEqual([own.id, undefined]);
      const from = (await sizeNow()) + 2;
      await bringIntoForce((before) => rotateServiceKey(before, { retired: own.id, successor: listedFile(next), from, until: from + 10 }, made()));
      expect(await signer()).toEqual([own.id, from + 10]);
      await note();
      await note();
      expect(await signer()).toEqual([next.id, undefined]);
      expect(parts.signer.keyId).toBe(next.id);
    } finally {
      await pool.end();
    }
  });

  it('never starts with a key that others may read', async () => {
    const state = path.join(plane.stateDirectory, 'keys', 'plane.next.pem');
    await mkdir(path.dirname(state), { recursive: true });
    await writeFile(state, next.pem, { mode: 0o644 });
    await expect(plane.another()).rejects.toThrow('0600');
    await rm(state);
  });
});
