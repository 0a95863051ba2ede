import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';

import { guardStage, guardUsers, modeOf, oneErrorLine, sha256Of, type GuardStage } from '@/lib/testing/guard-stage';

let stage: GuardStage;
beforeEach(async (context) => {
  stage = await guardStage(context);
  return () => stage.close();
});

describe('what init makes', () => {
  test.each(['000', '022', '077', '777'])('has the modes 0755, 0755, 0733 and 0444 under umask %s', (umask) => {
    const made = stage.run('owner', 'sh', '-c', `umask ${umask}; exec "$@"`, 'sh', process.execPath, stage.program, 'guard', 'init', '--state', stage.state, '--agent-uid', String(guardUsers.agent));
    expect(made).toMatchObject({ code: 0, err: '' });
    expect([stage.state, stage.managed, stage.inbox, stage.allowlistFile].map(modeOf)).toEqual(['0755', '0755', '0733', '0444']);
  });

  test('has these modes below a setgid parent too', () => {
    fs.chmodSync(stage.folder, 0o2775);
    stage.begin();
    expect([stage.state, stage.managed, stage.inbox, stage.allowlistFile].map(modeOf)).toEqual(['0755', '0755', '0733', '0444']);
  });

  test('leaves nothing beside it, and nothing at all when it is refused', () => {
    stage.begin();
    expect(fs.readdirSync(stage.folder)).toEqual(['state']);
    const before = sha256Of(stage.allowlistFile);
    expect(stage.init()).toMatchObject({ code: 2, out: '', err: expect.stringMatching(oneErrorLine) });
    expect(fs.readdirSync(stage.folder)).toEqual(['state']);
    expect(sha256Of(stage.allowlistFile)).toBe(before);
  });

  test.each([
    ['its own user', guardUsers.owner],
    ['root', 0],
    ['no user id', 'nobody'],
    ['a user id beyond all', 4_294_967_295],
  ])('is refused with %s as the agent', (_what, agent) => {
    expect(stage.guard('owner', 'init', '--state', stage.state, '--agent-uid', String(agent))).toMatchObject({ code: 2, out: '', err: expect.stringMatching(oneErrorLine) });
    expect(fs.existsSync(stage.state)).toBe(false);
  });

  test('is refused where a link, even a dangling one, stands already', () => {
    fs.symlinkSync('/nowhere', stage.state);
    expect(stage.init()).toMatchObject({ code: 2, out: '', err: expect.stringMatching(oneErrorLine) });
  });
});

describe('what the agent’s user can do by itself', () => {
  const tries: readonly (readonly [string, string])[] = [
    ['list the inbox', 'fs.readdirSync(`${state}/inbox`)'],
    ['write the allowlist', 'fs.writeFileSync(`${state}/managed/allowlist.json`, "{}")'],
    ['change the allowlist’s mode', 'fs.chmodSync(`${state}/managed/allowlist.json`, 0o666)'],
    ['remove the allowlist', 'fs.rmSync(`${state}/managed/allowlist.json`)'],
    ['put another file in the allowlist’s place', 'fs.writeFileSync(`${state}/inbox/x`, "{}"); fs.renameSync(`${state}/inbox/x`, `${state}/managed/allowlist.json`)'],
    ['make a file in managed', 'fs.writeFileSync(`${state}/managed/new`, "")'],
    ['put another folder in the place of managed', 'fs.renameSync(`${state}/managed`, `${state}/inbox/old`)'],
    ['put another folder in the place of the inbox', 'fs.renameSync(`${state}/inbox`, `${state}/managed/inbox`)'],
    ['make the inbox listable', 'fs.chmodSync(`${state}/inbox`, 0o777)'],
    ['replace the state directory', 'fs.renameSync(state, `${state}.old`)'],
  ];
  test.each(tries)('it cannot %s', (_what, source) => {
    stage.begin();
    const before = sha256Of(stage.allowlistFile);
    const tried = stage.script('agent', `import fs from 'node:fs'; const state = process.argv.at(-1); try { ${source}; } catch ({ code }) { console.log(code); }`, stage.state);
    expect(tried).toMatchObject({ code: 0, out: expect.stringMatching(/^(EACCES|EPERM)\n$/) });
    expect(sha256Of(stage.allowlistFile)).toBe(before);
  });

  test.each([
    ['list', ['list']],
    ['apply a proposal', ['apply-proposal', '--confirm', 'APPLY_PROPOSAL']],
    ['reject a proposal', ['reject', '--id', '0'.repeat(64), '--reason', 'no']],
  ])('it cannot %s through the command either', (_what, [command = '', ...flags]) => {
    stage.begin();
    stage.ask('export-report');
    const before = sha256Of(stage.allowlistFile);
    expect(stage.guard('agent', command, '--state', stage.state, ...flags)).toMatchObject({ code: 2, out: '', err: expect.stringMatching(/^error: .*owner.*\n$/) });
    expect(sha256Of(stage.allowlistFile)).toBe(before);
    expect(stage.inInbox()).toEqual(['proposal.json']);
  });

  test('it may take back or replace what is in the inbox, its own directory of no secrets: whoever knows a name may, and apply goes by the digest', () => {
    stage.begin();
    stage.ask('export-report');
    const [id = ''] = stage.idsListed();
    // 0733 without the sticky bit: any user that may write a directory may rename in it.
    expect(stage.drop('other.json', stage.proposalText('drop-tables'), 'stranger').code).toBe(0);
    expect(stage.script('stranger', 'import fs from "node:fs"; fs.renameSync(process.argv.at(-2), process.argv.at(-1))', path.join(stage.inbox, 'other.json'), path.join(stage.inbox, 'proposal.json')).code).toBe(0);
    expect(stage.apply('--id', id)).toMatchObject({ code: 2, out: '', err: expect.stringMatching(oneErrorLine) });
    expect(stage.apply()).toMatchObject({ code: 2, out: '', err: expect.stringContaining(`uid ${String(guardUsers.stranger)}`) });
    expect(stage.allowlist()).toMatchObject({ revision: 1, allowlist: ['inspect-status'] });
  });
});

describe('a request of the agent', () => {
  test('is answered REFUSED_DIRECT_EDIT with the same SHA-256 before and after, exits 0, and waits', () => {
    stage.begin();
    const before = sha256Of(stage.allowlistFile);
    const asked = stage.ask('export-report');
    expect(asked).toMatchObject({ code: 0, err: '' });
    expect(asked.out).toContain('result: REFUSED_DIRECT_EDIT\n');
    expect(asked.out).toContain(`allowlist_sha256_before: ${before}\nallowlist_sha256_after:  ${before}\nallowlist_unchanged: yes\n`);
    expect(sha256Of(stage.allowlistFile)).toBe(before);
    expect(stage.idsListed()).toEqual([sha256Of(path.join(stage.inbox, 'proposal.json'))]);
    expect(stage.check('export-report')).toMatchObject({ code: 1, out: expect.stringContaining('result: DENIED\n') });
  });

  test('can be read by its owner although the agent’s umask is 077', () => {
    stage.begin();
    stage.run('agent', 'sh', '-c', 'umask 077; exec "$@"', 'sh', process.execPath, stage.program, 'guard', 'self-request', '--state', stage.state, '--permission', 'a', '--reason', 'b');
    expect(modeOf(path.join(stage.inbox, 'proposal.json'))).toBe('0644');
    expect(stage.apply()).toMatchObject({ code: 0 });
  });

  test('never overwrites another: of twelve made at once, twelve wait', async () => {
    stage.begin();
    const all = Array.from({ length: 12 }, (_, at) =>
      spawn(process.execPath, [stage.program, 'guard', 'self-request', '--state', stage.state, '--permission', `permission-${String(at)}`, '--reason', 'at once'], { uid: guardUsers.agent, gid: guardUsers.agent, stdio: 'ignore' }));
    expect(await Promise.all(all.map((one) => once(one, 'exit').then(([code]: unknown[]) => code)))).toEqual(all.map(() => 0));
    expect(stage.idsListed()).toHaveLength(12);
    expect(stage.inInbox().filter((name) => name === 'proposal.json')).toHaveLength(1);
    expect(stage.inInbox().every((name) => /^proposal(-[0-9a-f]{32})?\.json$/.test(name))).toBe(true);
  });

  test('takes another name when a crash left an empty first one', () => {
    stage.begin();
    stage.drop('proposal.json', '');
    stage.ask('export-report');
    expect(stage.inInbox()).toHaveLength(2);
    expect(stage.apply()).toMatchObject({ code: 0, out: expect.stringContaining('permission: export-report\n') });
  });

  test('of a user who is neither agent nor owner is refused before anything is written', () => {
    stage.begin();
    expect(stage.ask('export-report', 'stranger')).toMatchObject({ code: 2, out: '', err: expect.stringMatching(oneErrorLine) });
    expect(stage.inInbox()).toEqual([]);
  });

  test.each([['what is allowed already', 'inspect-status'], ['nothing', ''], ['a second line', 'a\nresult: APPLIED'], ['what turns direction', 'a\u202Eb'], ['more than a name', 'a'.repeat(201)]])('for %s is refused', (_what, permission) => {
    stage.begin();
    expect(stage.ask(permission)).toMatchObject({ code: 2, out: '', err: expect.stringMatching(oneErrorLine) });
    expect(stage.inInbox()).toEqual([]);
  });
});

