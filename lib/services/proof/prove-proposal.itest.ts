import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import type { Comparison } from '@/lib/policy/compare/comparison';
import { proofSchemaName } from '@/lib/policy/proof';
import { contentReferences } from '@/lib/ledger/content-references';
import { readStatement } from '@/lib/ledger/statement';
import type { ProposalRow } from '@/lib/ports/proposal-store';
import { nodeBase64Text } from '@/lib/server/node-base64';
import { nodeSha256, nodeSha256OfText } from '@/lib/server/node-sha256';
import { randomIds } from '@/lib/server/random-ids';
import type { ConsoleParts } from '@/lib/services/console/console-parts';
import { parseEnvelope } from '@/lib/shared/dsse';
import { digestOf, utf8 } from '@/lib/shared/encoding';
import type { ProposalId } from '@/lib/shared/ids';
import { testConsole, unreadableReceipts, valueOf } from '@/lib/testing/console-fixture';
import { stock } from '@/lib/testing/engine-fixtures';
import { startTestPlane, type TestPlane } from '@/lib/testing/plane-fixture';
import { planePolicy } from '@/lib/testing/plane-policy';

import { makeProof } from './make-proof';
import { proveProposal, type Proving, type RunProof } from './prove-proposal';

let plane: TestPlane;
let console: { readonly parts: ConsoleParts; readonly close: () => Promise<void> };
let parts: ConsoleParts;

const looser = planePolicy.replace('  - id: confirm-writes\n    match: { tool: files, operation: write }\n    action: STEP_UP', '  - id: confirm-writes\n    match: { tool: files, operation: write }\n    action: ALLOW');

beforeAll(async () => {
  plane = await startTestPlane(planePolicy);
  console = await testConsole(plane);
  parts = console.parts;
  const session = await plane.openSession('Write the report and take notes.');
  const propose = (tool: string, operation: string, parameters: object) => plane.call(plane.token('helper'), 'POST', '/v1/actions', { session, tool, operation, parameters });
  for (const text of ['one', 'two', 'three']) await propose('notes', 'write', { text });
  await propose('files', 'write', { path: 'report.txt', content: 'numbers' });
  await propose('database', 'drop', { database: 'production' });
  await parts.inForce.refresh();
}, 60_000);
afterAll(async () => {
  await console.close();
  await plane.stop();
});

let proposal: ProposalRow;

async function proposed(text: string): Promise<ProposalRow> {
  const { policy } = await parts.inForce.current();
  if (!policy) throw new Error('Nothing is in force.');
  const ids = randomIds();
  const id = ids.make('proposal');
  const digest = digestOf(nodeSha256, utf8(text));
  await parts.transactor.withHead(async (tx) => {
    await parts.proposals.add(tx, {
      id, target: 'policy', origin: 'console', maker_kind: 'person', maker_id: 'somebody', session: null, base_revision: policy.revision, base_digest: policy.digest, digest, text, format: 'yaml',
      text_digest: digest, reason: null, rebased_from: null, proposed_at: new Date().toISOString(), proposed_receipt: ids.make('receipt'),
    });
  });
  return await found(id);
}

async function found(id: ProposalId): Promise<ProposalRow> {
  const row = await parts.proposals.find(id);
  if (!row) throw new Error(`${id} is not there.`);
  return row;
}

const compared: Comparison = { change: 'loosen', changes: [], further: 0, unproved: [], method: 'test', exhaustive: true, counted: { classes: 1, operations: 1, unchanged_operations: 0 } };

/** The work as the thread does it, but here. */
const here: RunProof = async (work, _signal, listen) => ({
  proof: await makeProof({ log: async () => ({ log: parts.log, content: parts.content, sha256: nodeSha256, sha256OfText: nodeSha256OfText, text: nodeBase64Text }), sha256: nodeSha256, catalogue: stock, compare: () => compared }, work, listen),
});

const proving = (run: RunProof, more: Partial<Proving> = {}): Proving => ({
  run, runner: randomUUID(), everySecond: () => () => undefined, report: (cause) => { throw cause; }, ...more,
});

const proofOf = async (row: ProposalRow) => {
  const digest = row.proof?.proof_digest;
  return digest && (await parts.content.find([digest])).get(digest)?.value;
};

beforeEach(async () => {
  proposal = await proposed(`${looser}# ${randomUUID()}\n`);
});

describe('proving a proposal', () => {
  it('keeps lint, comparison and replay of real decisions as content, with a receipt that names them', async () => {
    await proveProposal(parts, proving(here), proposal.id);
    const row = await found(proposal.id);
    expect(row.proof).toMatchObject({ change: 'loosen', applicable: true });
    expect(await proofOf(row)).toMatchObject({
      schema: proofSchemaName, base_digest: row.base_digest, digest: row.digest, change: 'loosen', tests: { passed: 0, failed: 0 }, lint: { errors: 0 },
      replay: { replayed: 5, newly_allowed: 1, newly_stopped: 0, listed: [{ tool: 'files', operation: 'write', now: 'STEP_UP', then: 'ALLOW' }] },
    });
    const [receipt] = (await parts.log.search({ kind: 'policy_proved' }, { limit: 1 })).rows;
    const body = receipt && valueOf(readStatement(nodeSha256, valueOf(parseEnvelope(receipt.envelope))));
    expect(body?.predicate).toMatchObject({ proposal: proposal.id, proof_digest: row.proof?.proof_digest, change: 'loosen', replayed: { newly_allowed: 1, newly_stopped: 0 }, applicable: true });
    expect(body && contentReferences(body)).toEqual([row.proof?.proof_digest]);
    expect(await parts.proofJobs.find(proposal.id)).toMatchObject({ state: 'done', percent: 100 });
    expect(await unreadableReceipts(parts)).toEqual([]);
  });

  it('is red where the policy’s tests come out differently or a rule cannot hold, and says which', async () => {
    const tests = `tests:\n  - name: a person looks at files\n    action: { tool: files, operation: write, parameters: { path: a.txt, content: x } }\n    expect: { decision: STEP_UP }\n`;
    await proveProposal(parts, proving((work, signal, listen) => here({ ...work, tests: [tests] }, signal, listen)), proposal.id);
    expect((await found(proposal.id)).proof).toMatchObject({ applicable: false });
    expect(await proofOf(await found(proposal.id))).toMatchObject({ tests: { passed: 0, failed: 1 }, open: [expect.stringContaining('a person looks at files')] });
    const never = await proposed(`${planePolicy}  - id: never\n    match: { tool: files, operation: explode }\n    action: DENY\n    reason: "It is not there."\n`);
    await proveProposal(parts, proving(here), never.id);
    expect((await found(never.id)).proof).toMatchObject({ applicable: false });
    expect(await proofOf(await found(never.id))).toMatchObject({ lint: { errors: 1 } });
  });

  it('runs the tests that came with the proposal, else those of the policy in force; other ones than those are said and make nothing red', async () => {
    const wants = (decision: string) => `tests:\n  - name: files are ${decision}\n    action: { tool: files, operation: write, parameters: { path: a.txt, content: x } }\n    expect: { decision: ${decision} }\n`;
    const withTests = async (text: string | undefined): Promise<ProposalRow> => {
      const row = await proposed(`${looser}# ${randomUUID()}\n`);
      if (text !== undefined) await parts.transactor.withHead((tx) => parts.policyTests.add(tx, row.id, text));
      return row;
    };
    const applied = await withTests(wants('STEP_UP'));
    await proveProposal(parts, proving(here), applied.id);
    expect(await proofOf(await found(applied.id))).toMatchObject({ tests: { passed: 0, failed: 1 } });
    // Once it is applied its tests are the policy's.
    await parts.transactor.withHead((tx) => parts.proposals.move(tx, applied.id, 'open', 'applied', { ended_at: new Date().toISOString(), ended_by: 'somebody', ended_reason: null, ended_receipt: randomIds().make('receipt'), revision: 2, replaced_by: null }));
    const without = await withTests(undefined);
    await proveProposal(parts, proving(here), without.id);
    expect((await found(without.id)).proof).toMatchObject({ applicable: false });
    const other = await withTests(wants('ALLOW'));
    await proveProposal(parts, proving(here), other.id);
    expect((await found(other.id)).proof).toMatchObject({ applicable: true });
    expect(await proofOf(await found(other.id))).toMatchObject({ tests: { passed: 1, failed: 0 }, open: [expect.stringContaining('1 of 1 come out differently'), expect.stringContaining('files are STEP_UP')] });
  });

  it('that a bound stops is not proved, and says what was not found out', async () => {
    const stopped: RunProof = async (_work, _signal, listen) => {
      listen.found({ tests: { passed: 0, failed: 0 }, lint: { errors: 0, warnings: 0 }, open: [] });
      return { stopped: 'bound', detail: 'It took longer than 120 s.' };
    };
    await proveProposal(parts, proving(stopped), proposal.id);
    expect((await found(proposal.id)).proof).toMatchObject({ change: 'not_proved', applicable: true });
    expect(await proofOf(await found(proposal.id))).toMatchObject({ open: [expect.stringContaining('a bound stopped it. It took longer than 120 s.')] });
  });

  it('keeps the class that was compared when the replay alone was stopped', async () => {
    const stopped: RunProof = async (_work, _signal, listen) => {
      listen.found({ tests: { passed: 0, failed: 0 }, lint: { errors: 0, warnings: 0 }, comparison: compared, open: [] });
      return { stopped: 'bound', detail: 'It took more than 1024 MB of memory.' };
    };
    await proveProposal(parts, proving(stopped), proposal.id);
    expect((await found(proposal.id)).proof).toMatchObject({ change: 'loosen' });
    expect(await proofOf(await found(proposal.id))).toMatchObject({ open: [expect.stringContaining('were not taken again')] });
  });

  it('that crashes proves nothing, says so, and can be tried again', async () => {
    await proveProposal(parts, proving(async () => ({ stopped: 'crashed', detail: 'The thread ended with 1.' })), proposal.id);
    expect((await found(proposal.id)).proof).toBeNull();
    expect(await parts.proofJobs.find(proposal.id)).toMatchObject({ state: 'failed', detail: expect.stringContaining('The thread ended with 1.') });
    expect(await parts.proofJobs.unasked(10)).not.toContain(proposal.id);
    expect(await parts.proofJobs.ask(proposal.id)).toBe(true);
    expect(await parts.proofJobs.toDo()).toContain(proposal.id);
    await proveProposal(parts, proving(here), proposal.id);
    expect((await found(proposal.id)).proof).not.toBeNull();
  });

  it('is done by one process, shown as it goes, and stopped from any', async () => {
    const patient: RunProof = (_work, signal, listen) =>
      new Promise((resolve) => {
        listen.progress({ phase: 'comparing', percent: 40 });
        signal.addEventListener('abort', () => resolve({ stopped: 'cancelled', detail: '' }));
      });
    const beats: (() => void)[] = [];
    const work = proveProposal(parts, proving(patient, { everySecond: (beat) => { beats.push(beat); return () => undefined; } }), proposal.id);
    await expect.poll(async () => (await parts.proofJobs.find(proposal.id))?.state).toBe('running');
    // Another process finds it taken and does nothing.
    await proveProposal(parts, proving(() => { throw new Error('Two work on one proposal.'); }), proposal.id);
    await expect.poll(async () => { beats.forEach((beat) => beat()); return await parts.proofJobs.find(proposal.id); }).toMatchObject({ phase: 'comparing', percent: 40 });
    expect(await parts.proofJobs.askToCancel(proposal.id)).toBe(true);
    beats.forEach((beat) => beat());
    await work;
    expect(await parts.proofJobs.find(proposal.id)).toMatchObject({ state: 'cancelled' });
    expect((await found(proposal.id)).proof).toBeNull();
  });

  it('keeps nothing of a proof for a proposal that has ended meanwhile', async () => {
    const late: RunProof = async (work, signal, listen) => {
      const ended = await here(work, signal, listen);
      await parts.transactor.withHead((tx) => parts.proposals.move(tx, proposal.id, 'open', 'withdrawn', { ended_at: new Date().toISOString(), ended_by: 'somebody', ended_reason: null, ended_receipt: randomIds().make('receipt'), revision: null, replaced_by: null }));
      return ended;
    };
    const before = (await parts.log.head()).size;
    await proveProposal(parts, proving(late), proposal.id);
    expect((await parts.log.head()).size).toBe(before);
    expect(await parts.proofJobs.find(proposal.id)).toMatchObject({ state: 'failed', detail: expect.stringContaining('moved on') });
  });

  it('is not made on a base that is neither in force nor proposed', async () => {
    const ids = randomIds();
    const id = ids.make('proposal');
    await parts.transactor.withHead((tx) => parts.proposals.add(tx, { ...proposal, id, base_digest: digestOf(nodeSha256, utf8('elsewhere')), base_revision: 7 }));
    await proveProposal(parts, proving(here), id);
    expect(await parts.proofJobs.find(id)).toMatchObject({ state: 'failed', detail: expect.stringContaining('not in force any more') });
  });
});
