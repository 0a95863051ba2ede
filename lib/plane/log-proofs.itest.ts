import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

import { checkpointView, consistencyView, inclusionView } from '@/lib/contracts/plane/log';
import { originOf, parseCheckpoint } from '@/lib/ledger/checkpoint';
import { verifyGrowth } from '@/lib/ledger/verify-growth';
import { verifyInclusionDocument } from '@/lib/ledger/verify-inclusion-document';
import { verifyEd25519 } from '@/lib/server/ed25519';
import { nodeSha256 } from '@/lib/server/node-sha256';
import { ownServiceKey } from '@/lib/server/service-keys';
import { fromBase64, toBase64 } from '@/lib/shared/encoding';
import { isId } from '@/lib/shared/ids';
import { testKey } from '@/lib/testing/node-crypto';
import { startTestPlane, type TestPlane } from '@/lib/testing/plane-fixture';
import { planePolicy } from '@/lib/testing/plane-policy';
import { runCli, type Said } from '@/lib/testing/run-cli';
import { signCheckpoint } from '@/lib/ledger/checkpoint';

let plane: TestPlane;
let folder: string;
let publicKey: Uint8Array;
let session: string;

beforeAll(async () => {
  plane = await startTestPlane(planePolicy);
  folder = await mkdtemp(path.join(os.tmpdir(), 'countersign-heads-'));
  ({ publicKey } = await ownServiceKey(plane.stateDirectory, 'plane'));
  session = await plane.openSession('Take notes.');
}, 60_000);
afterAll(async () => {
  await plane.stop();
  await rm(folder, { recursive: true });
});

const get = (where: string) => plane.call(plane.token('helper'), 'GET', where);
const note = async (text: string): Promise<{ readonly receipt: { readonly id: string } }> => {
  const { body } = await plane.call(plane.token('helper'), 'POST', '/v1/actions', { session, tool: 'notes', operation: 'write', parameters: { text } });
  return body as { readonly receipt: { readonly id: string } };
};
const newest = async () => checkpointView.parse((await get('/v1/log/checkpoint')).body).checkpoint;
const log = () => ({ origin: originOf(plane.workspace), publicKeys: [publicKey] });
const headOf = (text: string) => {
  const head = parseCheckpoint(text);
  if (!head.ok) throw new Error(head.error.detail);
  return head.value;
};
const cli = (...args: string[]): Promise<Said> => runCli({ DATABASE_URL: plane.databaseUrl, COUNTERSIGN_STATE: plane.stateDirectory }, ...args);
const kept = async (name: string, text: string): Promise<string> => {
  const file = path.join(folder, name);
  await writeFile(file, text);
  return file;
};

describe('proofs of the log over HTTP', () => {
  it('a receipt is proved to be in it, from what the plane answers and the log’s key alone', async () => {
    const { receipt } = await note('one');
    const { body } = await get(`/v1/log/proof?receipt=${receipt.id}`);
    const { index, size, proof } = inclusionView.parse(body);
    const row = isId('receipt', receipt.id) ? await plane.stores.log.byId(receipt.id) : undefined;
    if (!row) throw new Error('The receipt is not there.');
    expect(await verifyInclusionDocument(nodeSha256, verifyEd25519, proof, row.leaf_hash, log())).toEqual({ ok: true, value: { index, size } });
  });

  it('an agent that keeps its last checkpoint finds that the log has only grown, from every size it may have kept', async () => {
    const before = headOf(await newest());
    await note('two');
    await note('three');
    await vi.waitUntil(async () => headOf(await newest()).size > before.size, { timeout: 10_000 });
    const { body } = await get(`/v1/log/consistency?from=${String(before.size)}`);
    const { from, proof, checkpoint } = consistencyView.parse(body);
    expect(from).toBe(before.size);
    const hashes = proof.map((text) => fromBase64(text) ?? new Uint8Array());
    expect(await verifyGrowth(nodeSha256, verifyEd25519, before, { checkpoint, proof: hashes }, log())).toMatchObject({ ok: true });
    for (let size = 0; size <= before.size; size++) expect((await get(`/v1/log/consistency?from=${String(size)}`)).status).toBe(200);
  });

  it('up to the smallest checkpoint that covers the size asked for', async () => {
    const { size } = headOf(await newest());
    const { body } = await get(`/v1/log/consistency?from=1&to=${String(size)}`);
    expect(consistencyView.parse(body)).toMatchObject({ from: 1, to: size });
    expect(headOf(consistencyView.parse(body).checkpoint).size).toBe(size);
  });

  it.each([
    ['no size', '', 400],
    ['a size that is no number', '?from=one', 400],
    ['a size with a leading zero', '?from=01', 400],
    ['a size below nothing', '?from=-1', 400],
    ['a size beyond exact integers', '?from=99999999999999999', 400],
    ['an end before the beginning', '?from=3&to=2', 400],
    ['more than the log has', '?from=999999', 404],
    ['up to more than the log has', '?from=1&to=999999', 404],
  ])('%s is refused', async (_what, query, status) => {
    expect((await get(`/v1/log/consistency${query}`)).status).toBe(status);
  });

  it('without a credential nothing is proved', async () => {
    expect((await plane.call(null, 'GET', '/v1/log/consistency?from=1')).status).toBe(401);
  });
});

describe('what a plane shows to those who watch it', () => {
  it('is text for Prometheus, behind a credential', async () => {
    const answer = await fetch(`${plane.url}/metrics`, { headers: { authorization: `Bearer ${plane.token('gate')}` } });
    expect(answer.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
    const text = await answer.text();
    expect(text).toContain('countersign_denying_all 0\n');
    expect(text).toMatch(/^countersign_log_covered_receipts [1-9]\d*$/mu);
    expect((await fetch(`${plane.url}/metrics`)).status).toBe(401);
  });
});

describe('countersign checkpoint', () => {
  it('prints the newest one as it is exported, and proves that the log goes on from those that were kept', async () => {
    const first = await cli('checkpoint');
    expect(first).toMatchObject({ code: 0, err: '' });
    const before = headOf(first.out);
    const file = await kept('first.checkpoint', first.out);
    await note('four');
    await vi.waitUntil(async () => headOf((await cli('checkpoint')).out).size > before.size, { timeout: 10_000 });
    const said = await cli('checkpoint', '--since', file, '--since', path.join(plane.stateDirectory, 'pin.plane.json'), '--json');
    expect(said.code).toBe(0);
    expect(said.err).toContain(`goes on from the one of ${String(before.size)}.`);
    expect(JSON.parse(said.out)).toMatchObject({ since: [{ size: before.size }, {}] });
  });

  it('finds a log that is shorter than, or another than, the one that was kept', async () => {
    const { size } = headOf(await newest());
    const { publicKey: known, signer } = testKey('anybody');
    const forged = (at: number) => signCheckpoint(nodeSha256, { origin: originOf(plane.workspace), size: at, root: nodeSha256(new Uint8Array(1)), extensions: [] }, known, signer.sign);
    expect(await cli('checkpoint', '--since', await kept('longer', await forged(size + 5)))).toMatchObject({ code: 1, err: expect.stringContaining('rollback_detected') as string });
    expect(await cli('checkpoint', '--since', await kept('other', await forged(size - 1)))).toMatchObject({ code: 1, err: expect.stringContaining('rollback_detected') as string });
    expect(await cli('checkpoint', '--since', await kept('nonsense', 'hello'))).toMatchObject({ code: 2 });
  });
});

describe('countersign verify --known', () => {
  const verify = (bundle: string, ...known: string[]) => runCli({}, 'verify', bundle, '--root', plane.provisioned.fingerprint, ...known.flatMap((file) => ['--known', file]));

  it('accepts checkpoints of this log, and says when one is of a longer or another one', async () => {
    const early = await newest();
    await note('five');
    await vi.waitUntil(async () => headOf(await newest()).size > headOf(early).size, { timeout: 10_000 });
    const bundle = path.join(folder, 'bundle.json');
    // Kept before the export: a pin that knows more than a bundle has would say that its end is missing.
    const pin = await kept('pin.json', await readFile(path.join(plane.stateDirectory, 'pin.plane.json'), 'utf8'));
    expect((await cli('export', '--out', bundle)).code).toBe(0);
    const good = await kept('early.checkpoint', early);
    expect(await verify(bundle, good, pin)).toMatchObject({ code: 0 });
    const cut = early.replace(/\n\d+\n/, '\n100000\n');
    expect(await verify(bundle, good, await kept('cut.checkpoint', cut))).toMatchObject({ code: 1, out: expect.stringContaining('its end was cut off') as string });
    const other = early.replace(toBase64(headOf(early).root), toBase64(nodeSha256(new Uint8Array(2))));
    expect(await verify(bundle, await kept('other.checkpoint', other))).toMatchObject({ code: 1, out: expect.stringContaining('another log') as string });
  });

  it('takes the key that checkpoints are known to be signed with for the fingerprint, and no other key', async () => {
    const bundle = path.join(folder, 'bundle.json');
    expect(await runCli({}, 'verify', bundle)).toMatchObject({ code: 3 });
    expect(await runCli({}, 'verify', bundle, '--checkpoint-key', toBase64(publicKey))).toMatchObject({ code: 0 });
    expect(await runCli({}, 'verify', bundle, '--checkpoint-key', toBase64(testKey('anybody').publicKey))).toMatchObject({ code: 3 });
    expect(await runCli({}, 'verify', bundle, '--checkpoint-key', 'AAAA')).toMatchObject({ code: 2 });
  });

  it('refuses a file that holds no checkpoint: it must not look as if it had been compared', async () => {
    expect(await verify(path.join(folder, 'bundle.json'), await kept('empty', ''))).toMatchObject({ code: 2 });
  });
});
