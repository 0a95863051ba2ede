import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { ActionView } from '@/lib/contracts/plane/actions';
import type { PlaneClient } from '@/lib/pep/sdk/plane-client';
import { compilePolicyText } from '@/lib/server/compile-policy-text';
import { projectRoot } from '@/lib/server/project-root';
import { startDemoPlane, type DemoPlane } from '@/lib/testing/demo-fixture';

import { finishDemo } from './finish-demo';
import { makeCast } from './make-cast';
import { keptOpenWork, type OpenAction } from './open-work';
import { agentOf, playScenario, type Cast } from './play-scenario';
import type { Scenario } from './scenario';
import { proposeChanges } from './propose-changes';
import { changedText, proposedChanges } from './proposed-changes';
import { allScenarios } from './scenarios/all-scenarios';
import { mostWaiting, workOn } from './work-on';

let demo: DemoPlane;
const over = new AbortController();
let cast: Cast;
beforeAll(async () => {
  demo = await startDemoPlane();
  cast = makeCast(demo.url, demo.credentials, over.signal);
}, 60_000);
afterAll(async () => {
  over.abort();
  await demo.stop();
});

type Seen = { readonly does: string; readonly view: ActionView };

/** Plays a scenario, withdrawing whatever waits for people: each attempt's first answer, in order. */
async function play(scenario: Scenario): Promise<readonly Seen[]> {
  const first = new Map<string, Seen>();
  const refusal = await playScenario(scenario, cast, {
    seen: (_scenario, attempt, _session, view) => {
      if (!first.has(view.id)) first.set(view.id, { does: attempt.does, view });
      if (view.state === 'held' || (view.state === 'deferred' && !attempt.answer)) void cast.agents.get(scenario.agent)?.withdrawAction(view.id);
    },
    ended: () => undefined,
  }, over.signal);
  expect(refusal).toBeNull();
  return [...first.values()];
}

describe('the demo', () => {
  it.each(allScenarios.map((make) => make(1)).map((scenario) => [scenario.id, scenario] as const))('%s comes out as it is meant', async (_id, scenario) => {
    const hurried = { ...scenario, attempts: scenario.attempts.map(({ answer, ...attempt }) => ({ ...attempt, ...(answer ? { answer: { ...answer, afterMs: 0 } } : {}) })) };
    const seen = await play(hurried);
    expect(seen.map(({ does, view }) => [does, view.decision, view.transformed !== undefined])).toEqual(
      scenario.attempts.map(({ does, meant, narrowed }) => [does, meant, narrowed === true]),
    );
  });

  it('holds at least five, and narrows one of those', () => {
    const held = allScenarios.flatMap((make) => make(1).attempts).filter(({ meant }) => meant === 'STEP_UP');
    expect(held.length).toBeGreaterThanOrEqual(5);
    expect(held.some(({ narrowed }) => narrowed)).toBe(true);
  });

  it('is found, not made again, at a second start', async () => {
    const before = await readFile(path.join(demo.stateDirectory, 'demo-tokens.json'), 'utf8');
    expect(await demo.setUpAgain()).toBe('found');
    expect(await readFile(path.join(demo.stateDirectory, 'demo-tokens.json'), 'utf8')).toBe(before);
  });

  it('writes who can sign in, readable for its user alone, and prints it', async () => {
    const sheet = await finishDemo({ stateDirectory: demo.stateDirectory, consoleUrl: 'http://localhost:3000', planeUrl: demo.url });
    const file = path.join(demo.stateDirectory, 'demo.json');
    const written = JSON.parse(await readFile(file, 'utf8'));
    expect(written).toMatchObject({
      console: 'http://localhost:3000',
      plane: demo.url,
      agents: [{ id: 'harbor-assistant' }, { id: 'harbor-bookkeeper' }, { id: 'harbor-ops' }],
      orchestrators: [{ id: 'demo-desk' }],
      enforcement_points: [{ id: 'demo-gate' }],
      information_points: [{ id: 'demo-records' }],
      root_fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    expect((written.people as { role: string }[]).map(({ role }) => role)).toEqual(['owner', 'admin', 'approver', 'approver', 'auditor', 'requester']);
    for (const { email, password } of written.people) expect(sheet).toMatch(new RegExp(`${email} +${password}`));
    expect(await readFile(written.people[0].key, 'utf8')).toMatch(/^-----BEGIN PRIVATE KEY-----/);
    for (const secret of [file, written.people[0].key]) expect((await stat(secret)).mode & 0o777).toBe(0o600);
  });
});

describe('the agents', () => {
  it('propose changes that load, and whose makers are told how they stand', async () => {
    const policyText = await readFile(path.join(projectRoot(), 'policies', 'demo.yaml'), 'utf8');
    const said: string[] = [];
    await proposeChanges(cast, proposedChanges, policyText, (line) => said.push(line));
    expect(said).toHaveLength(proposedChanges.length);
    for (const [at, change] of proposedChanges.entries()) {
      expect(compilePolicyText(changedText(policyText, change), 'yaml')).toMatchObject({ ok: true });
      const id = /\((prp_\w+)\)/.exec(said[at] ?? '')?.[1] ?? '';
      expect(await agentOf(cast, change.agent).readProposal(id)).toMatchObject({ ok: true, value: { state: 'open', base: { revision: 1 } } });
    }
  });

  /** Works until the agents have paused and looked again a few times; gives what waits then. */
  async function workUntilPaused(): Promise<readonly OpenAction[]> {
    const day = new AbortController();
    const work = await keptOpenWork(path.join(demo.stateDirectory, 'demo-agent.json'));
    let looks = 0;
    const counting = (client: PlaneClient): PlaneClient => ({
      ...client,
      readAction: (...asked) => {
        if (work.open().length >= mostWaiting && ++looks > 3 * mostWaiting) day.abort();
        return client.readAction(...asked);
      },
    });
    const agents = new Map([...cast.agents].map(([id, client]) => [id, counting(client)]));
    const pace = { briskMs: 0, briskCount: 0, usualMs: 0, lookAgainMs: 10 };
    await workOn({ cast: { ...cast, agents }, work, scenarios: allScenarios, pace, signal: day.signal, log: () => undefined });
    return work.open();
  }
  const stateOf = async ({ action, agent }: OpenAction) => {
    const view = await agentOf(cast, agent).readAction(action);
    return view.ok ? view.value.state : view.error.code;
  };

  it('pause while ten actions wait, and go on with them after a restart', async () => {
    const waiting = await workUntilPaused();
    expect(waiting).toHaveLength(mostWaiting);
    for (const one of waiting) expect(['held', 'deferred']).toContain(await stateOf(one));

    const [settled, ...rest] = waiting;
    if (!settled) throw new Error('Nothing waits.');
    await agentOf(cast, settled.agent).withdrawAction(settled.action);
    const later = await workUntilPaused();
    expect(later).toHaveLength(mostWaiting);
    expect(later.map(({ action }) => action)).not.toContain(settled.action);
    expect(later.map(({ action }) => action)).toEqual(expect.arrayContaining(rest.map(({ action }) => action)));
  }, 60_000);
});
