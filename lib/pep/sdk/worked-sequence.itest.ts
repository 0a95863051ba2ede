import { access, mkdtemp, realpath, rm, unlink, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { stockCatalogue } from '@/lib/mediate/stock';
import { nodeSha256 } from '@/lib/server/node-sha256';
import { startTestPlane, type TestPlane } from '@/lib/testing/plane-fixture';
import type { ActionId, ReceiptId } from '@/lib/shared/ids';

import { guard } from './guard';
import { createPlaneClient, type PlaneClient } from './plane-client';

/** Who may delete what: an agent's role against how critical a resource is. */
const policy = `schema: countersign/policy/v1
id: file-deletions
use: stock@1 sha256:${stockCatalogue(nodeSha256).digest}
defaults: { decision: DENY, unclassified: INTERNAL }
information: { criticality: { from: [ip:records], max_age: 5m } }
rules:
  - id: cleaners-delete
    match: { tool: files, operation: delete, identity: { role: cleaner } }
    action: ALLOW
    reason: "Deleting is what a cleaner is for."
  - id: porters-delete
    match: { tool: files, operation: delete, identity: { role: porter } }
    action: ALLOW
    reason: "A porter may delete whatever it is: nothing but a guard stands in the way."
  - id: what-matters-stays
    match: { tool: files, operation: delete, identity: { role: cleaner } }
    context: { attributes: { criticality: { not: low } } }
    action: DENY
    reason: "Only files of low criticality are for agents to delete."
`;

let plane: TestPlane;
let folder: string;
let records: PlaneClient;
beforeAll(async () => {
  plane = await startTestPlane(policy, {
    agents: [
      { id: 'sweeper', role: 'cleaner', scope: [], registeredBy: 'admin@harbor.example' },
      { id: 'porter', role: 'porter', scope: [], registeredBy: 'admin@harbor.example' },
      { id: 'clerk', role: 'clerk', scope: [], registeredBy: 'admin@harbor.example' },
    ],
    vouching: [
      { kind: 'orchestrator', subject: 'desk', scope: { humans: ['requester@harbor.example'], attributes: [] } },
      { kind: 'enforcement_point', subject: 'executor', scope: { agents: ['sweeper', 'porter', 'clerk'] } },
      { kind: 'information_point', subject: 'records', scope: { attributes: ['criticality'] } },
    ],
  });
  records = client('records');
});
beforeEach(async () => {
  folder = await realpath(await mkdtemp(path.join(os.tmpdir(), 'countersign-sequence-')));
});
afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});
afterAll(async () => {
  await plane.stop();
});

const client = (subject: string): PlaneClient => createPlaneClient({ url: plane.url, token: plane.token(subject) });

/** A real file, in a session whose information point has said how critical it is. */
async function fileIn(session: string, criticality: string | null): Promise<string> {
  const file = path.join(folder, `${criticality ?? 'unrated'}.txt`);
  await writeFile(file, 'some bytes');
  if (criticality !== null) {
    const supplied = await records.supplyContext(session, [{ subject: `files:${file}`, name: 'criticality', value: criticality }]);
    expect(supplied).toMatchObject({ ok: true, value: { accepted: [{ used: true }] } });
  }
  return file;
}

/** `files.delete` as an executor has it: outside the agent, with a credential of its own, on the real disk. */
const deletion = (agent: string, session: string) =>
  guard(
    {
      tool: 'files',
      operation: 'delete',
      run: async ({ path: file }) => {
        await unlink(file as string);
        return { deleted: file };
      },
    },
    { plane: client(agent), enforcement: client('executor'), session },
  );

const isThere = async (file: string): Promise<boolean> => {
  try {
    await access(file);
    return true;
  } catch {
    return false;
  }
};

const kindsOf = async (action: string): Promise<readonly string[]> => {
  const page = await plane.stores.log.search({ action: action as ActionId }, { limit: 20 });
  return page.rows.map(({ kind }) => kind).sort();
};

async function storedAction(agent: string, action: string) {
  const view = await client(agent).readAction(action);
  if (!view.ok) throw new Error(view.error.detail);
  return view.value;
}

async function signedText(receipt: string): Promise<string> {
  const row = await plane.stores.log.byId(receipt as ReceiptId);
  const { payload } = JSON.parse(row?.envelope ?? '{}') as { readonly payload: string };
  return Buffer.from(payload, 'base64').toString('utf8');
}

describe('the worked sequence, without the sandbox that comes with the executor', () => {
  it('deletes a file of low criticality that a cleaner proposes to delete, under a permit, and records the outcome', async () => {
    const session = await plane.openSession('Delete the old export.', 'sweeper');
    const file = await fileIn(session, 'low');
    const answer = await deletion('sweeper', session)({ path: file });
    expect(answer).toMatchObject({ outcome: 'succeeded', executed: { tool: 'files', operation: 'delete', parameters: { path: file } }, output: { deleted: file } });
    expect(await isThere(file)).toBe(false);
    expect(await kindsOf(answer.action ?? '')).toEqual(['action_decided', 'outcome_reported', 'permit_redeemed']);
    expect(await storedAction('sweeper', answer.action ?? '')).toMatchObject({ decision: 'ALLOW', state: 'succeeded', outcome: { status: 'succeeded' } });
  });

  const refused: readonly (readonly [string, string, string | null, (file: string) => string, string])[] = [
    ['of high criticality', 'sweeper', 'high', (file) => file, 'what-matters-stays'],
    ['that another role than a cleaner proposes to delete', 'clerk', 'low', (file) => file, 'denied_by_default'],
    ['named through ../', 'porter', 'low', (file) => `../../../../../../../../..${file}`, 'path-traversal'],
    ['named through ../ in an encoding', 'porter', 'low', (file) => `%2e%2e/%2e%2e/%2e%2e/%2e%2e${file}`, 'path-traversal'],
  ];
  it.each(refused)('leaves a file %s where it is, and records why', async (_what, agent, criticality, named, why) => {
    const session = await plane.openSession('Delete the old export.', agent);
    const file = await fileIn(session, criticality);
    const answer = await deletion(agent, session)({ path: named(file) });
    expect(answer).toMatchObject({ outcome: 'denied', decision: 'DENY', ran: false });
    expect(await isThere(file)).toBe(true);
    expect(await kindsOf(answer.action ?? '')).toEqual(['action_decided']);
    const { receipt } = await storedAction(agent, answer.action ?? '');
    expect(await signedText(receipt.id)).toContain(why);
  });

  it('waits with a file whose criticality nobody has said, and deletes it once it is known', async () => {
    const session = await plane.openSession('Delete the old export.', 'sweeper');
    const file = await fileIn(session, null);
    const states: string[] = [];
    const tool = { tool: 'files', operation: 'delete', run: () => unlink(file) };
    const onSeen = ({ state }: { readonly state: string }) => {
      states.push(state);
      if (state === 'deferred') void records.supplyContext(session, [{ subject: `files:${file}`, name: 'criticality', value: 'low' }]);
    };
    expect(await guard(tool, { plane: client('sweeper'), session, onSeen })({ path: file })).toMatchObject({ outcome: 'succeeded' });
    expect(states).toEqual(['deferred', 'permitted']);
    expect(await isThere(file)).toBe(false);
  });

  it('runs nothing when the permit was overtaken by what has become known', async () => {
    const session = await plane.openSession('Delete the old export.', 'sweeper');
    const file = await fileIn(session, 'low');
    const proposed = await client('sweeper').propose({ session, tool: 'files', operation: 'delete', parameters: { path: file } });
    expect(proposed).toMatchObject({ ok: true, value: { state: 'permitted' } });
    await records.supplyContext(session, [{ subject: `files:${file}`, name: 'criticality', value: 'high' }]);
    expect(await client('executor').redeemPermit(proposed.ok ? (proposed.value.permit?.id ?? '') : '')).toMatchObject({ ok: false, error: { code: 'permit_stale' } });
    expect(await isThere(file)).toBe(true);
  });
});
