import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { VoteOutcome } from '@/lib/contracts/console/approvals';
import type { Result } from '@/lib/shared/result';
import { startApprovalStage, type ApprovalStage, type Held, type Voter } from '@/lib/testing/approval-stage';
import { signedVote } from '@/lib/testing/console-fixture';
import type { Decide } from '@/lib/testing/console-process';
import { planePolicy } from '@/lib/testing/plane-policy';

type Decision = Result<VoteOutcome>;
type Console = { readonly pid: number | undefined; readonly decide: (what: Decide) => Promise<Decision>; readonly stop: () => Promise<void> };

let stage: ApprovalStage;
let consoles: readonly [Console, Console];
beforeAll(async () => {
  // Nothing here is about how much may wait.
  stage = await startApprovalStage(planePolicy.replace('permits:', 'limits: { held_per_session: 500, held_per_agent: 500, held_per_human: 500, new_per_minute: 1000 }\npermits:'));
  consoles = await Promise.all([startConsole(), startConsole()]);
}, 120_000);
afterAll(async () => {
  await Promise.all(consoles.map((one) => one.stop()));
  await stage.stop();
});

async function startConsole(): Promise<Console> {
  const { databaseUrl, workspace, stateDirectory } = stage.plane;
  const child: ChildProcess = fork(path.resolve(import.meta.dirname, '../../testing/console-process.ts'), [databaseUrl, workspace, stateDirectory], { execArgv: ['--import', 'tsx'] });
  const waiting = new Map<number, (result: Decision) => void>();
  const ended = once(child, 'exit');
  await Promise.race([once(child, 'message'), ended.then(() => Promise.reject(new Error('The console did not come up.')))]);
  child.on('message', ({ turn, result }: { readonly turn: number; readonly result: Decision }) => waiting.get(turn)?.(result));
  return {
    pid: child.pid,
    decide: (what) =>
      new Promise((resolve) => {
        waiting.set(what.turn, resolve);
        child.send(what);
      }),
    stop: async () => {
      child.kill();
      await ended;
    },
  };
}

const races = 200;
const atOnce = 10;
const names = { approver: 'Abe Approver', second: 'Bea Second' } as const;

/** Two people decide one request at the same moment, each through a console of their own; who approves and who denies changes from race to race. */
async function race(turn: number, held: Held): Promise<readonly { readonly who: keyof typeof names; readonly verdict: 'approved' | 'denied'; readonly decision: Decision }[]> {
  const order = turn % 2 === 0 ? consoles : ([consoles[1], consoles[0]] as const);
  const decide = async (who: Voter & keyof typeof names, at: Console, approves: boolean) => {
    const person = stage.id(who);
    const what = approves
      ? { approve: { approval: held.approval, envelope: await signedVote(await stage.heldOf(held.approval), person, stage.keys[who]) } }
      : { deny: { approval: held.approval, code: 'not_wanted' as const, reason: 'No.' } };
    return { ask: { turn, person, ...what }, at, who, verdict: approves ? ('approved' as const) : ('denied' as const) };
  };
  const both = await Promise.all([decide('approver', order[0], turn % 4 < 3), decide('second', order[1], turn % 4 < 2)]);
  return await Promise.all(both.map(async ({ ask, at, who, verdict }) => ({ who, verdict, decision: await at.decide(ask) })));
}

describe('two consoles that decide the same requests', () => {
  it('are two processes, and neither is this one', () => {
    expect(new Set([process.pid, ...consoles.map(({ pid }) => pid)]).size).toBe(3);
  });

  it(`end each request once, and tell the loser who won, in ${String(races)} races`, { timeout: 300_000 }, async () => {
    const won = { approver: 0, second: 0 };
    const ended = { approved: 0, denied: 0 };
    for (let from = 0; from < races; from += atOnce) {
      const held = await Promise.all(Array.from({ length: atOnce }, () => stage.hold()));
      const outcomes = await Promise.all(held.map((one, at) => race(from + at, one)));
      for (const [at, sides] of outcomes.entries()) {
        const winners = sides.filter(({ decision }) => decision.ok);
        const [winner] = winners;
        const loser = sides.find(({ decision }) => !decision.ok);
        if (!winner || !loser || loser.decision.ok) throw new Error(`Not one winner: ${JSON.stringify(sides)}`);
        expect(winner.decision).toMatchObject({ value: { state: winner.verdict } });
        expect(loser.decision.error).toMatchObject({ code: 'already_resolved', detail: expect.stringContaining(names[winner.who]) as string });
        expect(loser.decision.error.detail.toLowerCase()).toContain(winner.verdict);
        won[winner.who]++;
        ended[winner.verdict]++;
        const action = held[at]?.action;
        expect(await stage.parts.approvals.find(held[at]?.approval ?? ('' as never))).toMatchObject({ state: winner.verdict, resolved_by: stage.id(winner.who) });
        expect((await stage.parts.log.search({ ...(action && { action }), kind: 'approval_resolved' }, { limit: 10 })).rows).toHaveLength(1);
      }
    }
    // Both have to win now and then, and both verdicts, or nothing was raced.
    for (const count of [...Object.values(won), ...Object.values(ended)]) expect(count).toBeGreaterThan(0);
  });
});
