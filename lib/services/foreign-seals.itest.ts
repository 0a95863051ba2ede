import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

import { parseBundle } from '@/lib/ledger/bundle';
import { stockCatalogue } from '@/lib/mediate/stock';
import { ownServiceKey } from '@/lib/server/service-keys';
import type { Digest, SessionId } from '@/lib/shared/ids';
import { testConsole, valueOf } from '@/lib/testing/console-fixture';
import { nodeSha256 as sha256, nodeVerifySignature as verifySignature } from '@/lib/testing/node-crypto';
import { startTestPlane, type TestPlane } from '@/lib/testing/plane-fixture';
import { planePolicy } from '@/lib/testing/plane-policy';
import { rederiveWith } from '@/lib/verify/rederive-decision';
import { verifyBundle } from '@/lib/verify/verify-bundle';

import { eraseContent, type EraseParts } from './erase-content';
import { exportBundle } from './export-bundle';

let plane: TestPlane;
let parts: EraseParts;
let close: () => Promise<void>;
beforeAll(async () => {
  plane = await startTestPlane(planePolicy);
  ({ parts, close } = await testConsole(plane));
}, 60_000);
afterAll(async () => {
  await close();
  await plane.stop();
});

const nobodys = '0'.repeat(64) as Digest;
const by = { kind: 'service', id: 'cli' } as const;
const call = (subject: string, method: string, path: string, body?: object) => plane.call(plane.token(subject), method, path, body);
const seal = (digest: Digest) => ({ deep: [{ $sealed: digest }] });

/** An action that ran, and whose output an agent reported. */
async function reported(session: string, output: unknown): Promise<{ readonly output: Digest }> {
  const { body } = await call('helper', 'POST', '/v1/actions', { session, tool: 'notes', operation: 'write', parameters: { text: 'x' } });
  await call('helper', 'POST', `/v1/permits/${body.permit.id}/redeem`);
  expect((await call('helper', 'POST', `/v1/actions/${body.id}/outcome`, { status: 'succeeded', output })).status).toBe(200);
  const digest = (await parts.actions.find([body.id])).get(body.id)?.output;
  if (!digest) throw new Error('An output was stored.');
  return { output: digest };
}

async function exported(session: string) {
  const { size } = await plane.stores.log.head();
  await call('helper', 'POST', '/v1/actions', { session: await plane.openSession('Take a note.'), tool: 'notes', operation: 'write', parameters: { text: 'x' } });
  await vi.waitUntil(async () => (await plane.stores.log.checkpointCovering(size)) !== undefined, { timeout: 10_000 });
  const { signer } = await ownServiceKey(plane.stateDirectory, 'console');
  const { bytes } = valueOf(await exportBundle({ ...plane.stores, workspace: plane.workspace, sha256, signer, productVersion: 'test' }, { withhold: false, now: new Date().toISOString(), session: session as SessionId }));
  const report = await verifyBundle(bytes, { sha256, verifySignature, root: plane.provisioned.fingerprint, rederive: rederiveWith(sha256, stockCatalogue(sha256)) });
  return { bundle: valueOf(parseBundle(bytes)), contents: report.checks.find(({ id }) => id === 'contents') };
}

describe('a seal that somebody writes into what they report', () => {
  it('of nothing spoils no evidence: in an output, and in an attribute', async () => {
    const session = await plane.openSession('Take a note.');
    await reported(session, seal(nobodys));
    await call('records', 'POST', `/v1/sessions/${session}/context`, { attributes: [{ subject: 'database:test_data', name: 'owner', value: { $sealed: nobodys } }] });
    const { bundle, contents } = await exported(session);
    expect(contents).toMatchObject({ state: 'pass' });
    expect(bundle.absent).toEqual([]);
  });

  it('takes nothing of another session along into an export', async () => {
    const theirs = await reported(await plane.openSession('Take a note.'), { secret: 'of another session' });
    const session = await plane.openSession('Take a note.');
    await reported(session, seal(theirs.output));
    const { bundle, contents } = await exported(session);
    expect(bundle.contents.map(({ digest }) => digest)).not.toContain(theirs.output);
    expect(contents).toMatchObject({ state: 'pass' });
  });

  it('takes nothing of another session along when its own is erased', async () => {
    const theirs = await reported(await plane.openSession('Take a note.'), { secret: 'of another session' });
    const session = (await plane.openSession('Take a note.')) as SessionId;
    const own = await reported(session, seal(theirs.output));
    await call('desk', 'DELETE', `/v1/sessions/${session}`);
    valueOf(await eraseContent(parts, by, { session, cause: 'asked', reason: 'Asked.' }));
    const left = await parts.content.find([own.output, theirs.output]);
    expect([...left.keys()]).toEqual([theirs.output]);
  });
});
