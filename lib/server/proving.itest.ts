import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { createPool } from '@/lib/db/pool';

import type { ConsoleParts } from '@/lib/services/console/console-parts';
import { startShadow, stopShadow } from '@/lib/services/proof/shadow';
import { proofView } from '@/lib/services/proof/proof-view';
import { digestOf, utf8 } from '@/lib/shared/encoding';
import type { PersonId, ProposalId } from '@/lib/shared/ids';
import { testConsole, valueOf, viewerById } from '@/lib/testing/console-fixture';
import { startTestPlane, type TestPlane } from '@/lib/testing/plane-fixture';
import { planePolicy } from '@/lib/testing/plane-policy';
import { sourceProofThread } from '@/lib/testing/proof-thread';

import { createLogger } from './logger';
import { nodeSha256 } from './node-sha256';
import { keepProving, proofInThread, type Proofs } from './proving';
import { proofBounds } from './proof-thread';
import { randomIds } from './random-ids';
import { keepShadowing, shadowInThread } from './shadowing';

let plane: TestPlane;
let parts: ConsoleParts;
let close: () => Promise<void>;
let file: URL;
let owner: PersonId;
let session: string;
let pool: ReturnType<typeof createPool>;

const looser = planePolicy.replace('  - id: confirm-writes\n    match: { tool: files, operation: write }\n    action: STEP_UP', '  - id: confirm-writes\n    match: { tool: files, operation: write }\n    action: ALLOW');
const logger = createLogger('console', { level: 'error', write: (line) => { throw new Error(line); } });
const never = new AbortController().signal;

const propose = (tool: string, operation: string, parameters: object) => plane.call(plane.token('helper'), 'POST', '/v1/actions', { session, tool, operation, parameters });

beforeAll(async () => {
  plane = await startTestPlane(planePolicy);
  ({ parts, close } = await testConsole(plane));
  pool = createPool({ url: plane.databaseUrl, max: 1, onIdleError: () => undefined });
  file = await sourceProofThread(plane);
  owner = plane.personOf('owner');
  session = await plane.openSession('Write the report.');
  await propose('files', 'write', { path: 'report.txt', content: 'numbers' });
  await propose('notes', 'write', { text: 'one' });
  await parts.inForce.refresh();
}, 60_000);
afterAll(async () => {
  await Promise.all([close(), pool.end()]);
  await plane.stop();
});

async function proposed(text: string): Promise<ProposalId> {
  const { policy } = await parts.inForce.current();
  if (!policy) throw new Error('Nothing is in force.');
  const ids = randomIds();
  const id = ids.make('proposal');
  const digest = digestOf(nodeSha256, utf8(text));
  await parts.transactor.withHead(async (tx) => {
    await parts.proposals.add(tx, {
      id, target: 'policy', origin: 'console', maker_kind: 'person', maker_id: owner, session: null, base_revision: policy.revision, base_digest: policy.digest, digest, text, format: 'yaml',
      text_digest: digest, reason: null, rebased_from: null, proposed_at: new Date().toISOString(), proposed_receipt: ids.make('receipt'),
    });
    await parts.events.publish(tx, [{ kind: 'proposal_changed', id }]);
  });
  return id;
}

const seen = async (id: ProposalId) => valueOf(await proofView(parts, await viewerById(parts, owner), id));

describe('a console that proves', () => {
  it('takes up what was proposed by itself and proves it in its thread: who gains what, with a witness, and which decisions change', async () => {
    const id = await proposed(looser);
    const proofs = keepProving(parts, logger, proofInThread(file));
    try {
      await proofs.look();
      const view = await seen(id);
      expect(view).toMatchObject({ applicable: true, job: { state: 'done', percent: 100 }, proof: { change: 'loosen', lint: { errors: 0 }, replay: { newly_allowed: 1, newly_stopped: 0 } } });
      expect(view.proof?.comparison.changes).toMatchObject([{ tool: 'files', operation: 'write', from: { decision: 'STEP_UP' }, to: { decision: 'ALLOW' } }]);
      expect(view.proof?.replay?.listed).toMatchObject([{ tool: 'files', now: 'STEP_UP', then: 'ALLOW', recorded: 'STEP_UP' }]);
    } finally {
      await proofs.stop();
    }
  }, 60_000);

  it('leaves what it had begun to the next console when it ends, and records nothing of it', async () => {
    const id = await proposed(`${looser}# another\n`);
    let first: Proofs | undefined;
    await new Promise<void>((begun) => {
      first = keepProving(parts, logger, (_work, signal) => new Promise((resolve) => {
        begun();
        signal.addEventListener('abort', () => resolve({ stopped: 'cancelled', detail: '' }));
      }));
      void first.look();
    });
    await first?.stop();
    expect(await parts.proofJobs.find(id)).toMatchObject({ state: 'running', stale: false });
    expect((await parts.proposals.find(id))?.proof).toBeNull();
  });

  it('ends work over its memory, and proves what was found until then', async () => {
    const id = await proposed(`${looser}# a third\n`);
    const proofs = keepProving(parts, logger, proofInThread(file, { ...proofBounds, megabytes: 12 }));
    try {
      await proofs.look();
      // So little is too little to begin with: nothing was found, so nothing is proved, and whoever looks learns why.
      expect(await seen(id)).toMatchObject({ proof: null, job: { state: 'failed', detail: expect.stringContaining('12 MB') } });
    } finally {
      await proofs.stop();
    }
  }, 60_000);
});

describe('a shadow', () => {
  const shadows = () => keepShadowing(parts, logger, shadowInThread(never, file));

  it('decides beside the policy in force from when it was started, without effect, goes on after a restart, and counts nothing twice', async () => {
    const id = await proposed(`${looser}# shadowed\n`);
    valueOf(await startShadow(parts, owner, id, 1));
    expect(await startShadow(parts, owner, id, 1)).toMatchObject({ ok: false, error: { code: 'conflict' } });
    const first = await propose('files', 'write', { path: 'a.txt', content: 'x' });
    await propose('notes', 'write', { text: 'two' });
    const one = shadows();
    await one.look();
    await one.stop();
    const before = (await seen(id)).shadow;
    expect(before).toMatchObject({ decisions: 2, replayed: 2, differing: 1, newly_allowed: 1, ended_at: null, started_by: 'Olga Owner', listed: [{ tool: 'files', now: 'STEP_UP', then: 'ALLOW' }] });
    // The live decision stands: it was held, and is.
    expect(first.body).toMatchObject({ decision: 'STEP_UP', state: 'held' });

    await propose('files', 'write', { path: 'b.txt', content: 'y' });
    const other = await testConsole(plane);
    try {
      const two = keepShadowing(other.parts, logger, shadowInThread(never, file));
      const again = shadows();
      await other.parts.inForce.refresh();
      // Two consoles at once: the one that comes second writes nothing.
      await Promise.all([two.look(), again.look()]);
      await Promise.all([two.stop(), again.stop()]);
    } finally {
      await other.close();
    }
    expect((await seen(id)).shadow).toMatchObject({ decisions: 3, replayed: 3, differing: 2, newly_allowed: 2, transitions: expect.arrayContaining([{ now: 'STEP_UP', then: 'ALLOW', count: 2 }]) });
  }, 90_000);

  it('ends at its time, and counts nothing that was decided after it', async () => {
    const id = await proposed(`${looser}# for a day\n`);
    valueOf(await startShadow(parts, owner, id, 1));
    await pool.query(`UPDATE shadows SET ends_at = clock_timestamp() WHERE proposal_id = $1`, [id]);
    await propose('files', 'write', { path: 'c.txt', content: 'z' });
    const late = shadows();
    await late.look();
    await late.stop();
    expect((await seen(id)).shadow).toMatchObject({ decisions: 0, differing: 0, ended_why: 'time' });
  }, 60_000);

  it('is stopped by an owner, and what it found stays; with its proposal it ends too', async () => {
    const id = await proposed(`${looser}# stopped\n`);
    valueOf(await startShadow(parts, owner, id, 7));
    valueOf(await stopShadow(parts, id));
    expect((await seen(id)).shadow).toMatchObject({ ended_why: 'stopped' });
    expect(await stopShadow(parts, id)).toMatchObject({ ok: false, error: { code: 'conflict' } });

    const withdrawn = await proposed(`${looser}# withdrawn\n`);
    valueOf(await startShadow(parts, owner, withdrawn, 7));
    await parts.transactor.withHead((tx) => parts.proposals.move(tx, withdrawn, 'open', 'withdrawn', { ended_at: new Date().toISOString(), ended_by: owner, ended_reason: null, ended_receipt: randomIds().make('receipt'), revision: null, replaced_by: null }));
    const all = shadows();
    await all.look();
    await all.stop();
    expect((await seen(withdrawn)).shadow).toMatchObject({ ended_why: 'proposal_ended' });
  }, 60_000);
});
