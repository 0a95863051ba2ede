import fs from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';

import { guardStage, guardUsers, modeOf, sha256Of, type GuardStage, type Ran } from '@/lib/testing/guard-stage';

let stage: GuardStage;
beforeEach(async (context) => {
  stage = await guardStage(context);
  return () => stage.close();
});

/** Loaded before the program: ends it, as a power cut would, right before its n-th call that changes a directory or waits for the disk. */
const killer = `
  const fs = require('node:fs');
  let left = Number(process.env.DIE_BEFORE);
  for (const name of ['renameSync', 'linkSync', 'rmSync', 'openSync', 'fsyncSync', 'fchmodSync', 'mkdirSync', 'chmodSync']) {
    const real = fs[name];
    fs[name] = (...args) => {
      if (name !== 'openSync' || (args[1] & fs.constants.O_CREAT) !== 0) if (left-- === 0) process.kill(process.pid, 'SIGKILL');
      return real(...args);
    };
  }`;

/** The command, dying before its n-th step. `code` is null when it died, and its exit code when it has fewer steps. */
function dying(step: number, user: keyof typeof guardUsers, ...args: readonly string[]): Ran {
  const file = path.join(stage.folder, 'killer.cjs');
  fs.writeFileSync(file, killer);
  return stage.run(user, 'env', `DIE_BEFORE=${String(step)}`, process.execPath, '--require', file, stage.program, 'guard', ...args, '--state', stage.state);
}

const startsAnew = (): void => {
  fs.rmSync(stage.state, { recursive: true, force: true });
  expect(stage.init().code).toBe(0);
};

/** Runs it dying before each of its steps in turn, from the same start; `holds` looks at what each death left. */
function atEveryStep(start: () => void, command: (step: number) => Ran, holds: (step: number) => void): number {
  for (let step = 0; step < 200; step += 1) {
    start();
    const said = command(step);
    if (said.code === 0) return step;
    expect(said.code).toBeNull();
    holds(step);
  }
  throw new Error('It never got to its end.');
}

describe('a process that dies', () => {
  test('anywhere while it applies a proposal leaves it waiting or applied; the next command finishes what is left, and nothing is applied twice', { timeout: 120_000 }, () => {
    let id = '';
    let before = '';
    const steps = atEveryStep(
      () => {
        startsAnew();
        stage.ask('export-report');
        id = sha256Of(path.join(stage.inbox, 'proposal.json'));
        before = sha256Of(stage.allowlistFile);
      },
      (step) => dying(step, 'owner', 'apply-proposal', '--confirm', 'APPLY_PROPOSAL', '--id', id),
      () => {
        const cut = stage.allowlist();
        expect(cut.revision === 1 ? sha256Of(stage.allowlistFile) : before).toBe(before);
        expect(modeOf(stage.allowlistFile)).toBe('0444');
        const again = stage.apply('--id', id);
        if (cut.revision === 1) expect(again).toMatchObject({ code: 0 });
        else expect(again).toMatchObject({ code: 2, err: expect.stringMatching(/applied already/) });
        expect(stage.allowlist()).toMatchObject({ revision: 2, allowlist: ['export-report', 'inspect-status'] });
        expect(stage.inInbox().filter((name) => !name.startsWith('.'))).toEqual([]);
        expect(JSON.parse(fs.readFileSync(path.join(stage.managed, `receipt-${id}.json`), 'utf8'))).toMatchObject({
          result: 'APPLIED', allowlist_sha256_before: before, allowlist_sha256_after: sha256Of(stage.allowlistFile),
        });
        expect(sha256Of(path.join(stage.managed, 'applied-proposal.json'))).toBe(id);
        expect(sha256Of(path.join(stage.managed, `allowlist-000001-${before}.json`))).toBe(before);
      },
    );
    expect(steps).toBeGreaterThan(15);
  });

  test('anywhere while it rejects leaves the proposal waiting or rejected for good', { timeout: 120_000 }, () => {
    let id = '';
    atEveryStep(
      () => {
        startsAnew();
        stage.ask('export-report');
        id = sha256Of(path.join(stage.inbox, 'proposal.json'));
      },
      (step) => dying(step, 'owner', 'reject', '--reason', 'no', '--id', id),
      () => {
        const again = stage.reject(id, 'no');
        if (again.code !== 0) expect(again.err).toMatch(/rejected already/);
        expect(stage.apply('--id', id)).toMatchObject({ code: 2, err: expect.stringMatching(/rejected already/) });
        expect(stage.allowlist().revision).toBe(1);
        expect(stage.inInbox().filter((name) => !name.startsWith('.'))).toEqual([]);
      },
    );
  });

  test('anywhere while it asks changes no allowlist, and the next request is not in its way', { timeout: 120_000 }, () => {
    atEveryStep(
      startsAnew,
      (step) => dying(step, 'agent', 'self-request', '--permission', 'a', '--reason', 'b'),
      () => {
        expect(stage.allowlist().revision).toBe(1);
        expect(stage.ask('export-report').code).toBe(0);
        const ids = stage.idsListed();
        expect([1, 2]).toContain(ids.length);
        expect(stage.list().out).toContain('permission: export-report\n');
      },
    );
  });

  test('anywhere while it makes a state directory leaves a whole one or none', { timeout: 120_000 }, () => {
    atEveryStep(
      () => fs.rmSync(stage.state, { recursive: true, force: true }),
      (step) => dying(step, 'owner', 'init', '--agent-uid', String(guardUsers.agent)),
      () => {
        if (fs.existsSync(stage.state)) expect(stage.check('inspect-status').code).toBe(0);
        else expect(stage.init().code).toBe(0);
        expect([stage.state, stage.managed, stage.inbox, stage.allowlistFile].map(modeOf)).toEqual(['0755', '0755', '0733', '0444']);
      },
    );
  });
});
