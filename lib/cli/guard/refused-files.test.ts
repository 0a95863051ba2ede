import fs from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';

import { guardStage, guardUsers, oneErrorLine, type GuardStage, type Ran } from '@/lib/testing/guard-stage';

let stage: GuardStage;
beforeEach(async (context) => {
  stage = await guardStage(context);
  return () => stage.close();
});

describe('what apply refuses, leaving the allowlist as it was', () => {
  const refusal = (said: { code: number | null; out: string; err: string }, words: string | RegExp): void => {
    expect(said).toMatchObject({ code: 2, out: '', err: expect.stringMatching(words) });
    expect(said.err).toMatch(oneErrorLine);
    expect(stage.allowlist()).toMatchObject({ revision: 1, allowlist: ['inspect-status'] });
    expect(stage.inInbox()).not.toEqual([]);
  };

  test('a symbolic link in the inbox, whatever it leads to', () => {
    stage.begin();
    const target = path.join(stage.folder, 'target.json');
    fs.writeFileSync(target, stage.proposalText('export-report'));
    fs.chownSync(target, guardUsers.owner, guardUsers.owner);
    stage.script('agent', 'import fs from "node:fs"; fs.symlinkSync(process.argv.at(-2), process.argv.at(-1))', target, path.join(stage.inbox, 'proposal.json'));
    refusal(stage.apply(), /symbolic link/);
  });

  test('a FIFO, without waiting for anybody to write to it', () => {
    stage.begin();
    expect(stage.run('agent', 'mkfifo', path.join(stage.inbox, 'proposal.json'))).toMatchObject({ code: 0 });
    refusal(stage.apply(), /not a regular file/);
  });

  test('a directory', () => {
    stage.begin();
    expect(stage.run('agent', 'mkdir', path.join(stage.inbox, 'proposal.json'))).toMatchObject({ code: 0 });
    refusal(stage.apply(), /not a regular file/);
  });

  test('a file with a second hard link', () => {
    stage.begin();
    stage.ask('export-report');
    expect(stage.run('agent', 'ln', path.join(stage.inbox, 'proposal.json'), path.join(stage.inbox, 'kept.json'))).toMatchObject({ code: 0 });
    refusal(stage.apply(), /2 hard links/);
  });

  test('a file over 64 KiB, and not one of exactly 64 KiB', () => {
    stage.begin();
    const text = stage.proposalText('export-report');
    stage.drop('proposal.json', text.padEnd(64 * 1024 + 1));
    refusal(stage.apply(), /over 65536 bytes/);
    stage.drop('proposal.json', text.padEnd(64 * 1024));
    expect(stage.apply()).toMatchObject({ code: 0 });
  });

  test('a half-written file', () => {
    stage.begin();
    stage.drop('proposal.json', stage.proposalText('export-report').slice(0, -20));
    refusal(stage.apply(), /cannot be read/);
  });

  test('a foreign owner’s file, were the proposal as good as any', () => {
    stage.begin();
    stage.drop('proposal.json', stage.proposalText('export-report'), 'stranger');
    refusal(stage.apply(), new RegExp(`uid ${String(guardUsers.stranger)}`));
  });

  test.each([
    ['another form', { schema: 'self-modification-proposal/v2' }, /form/],
    ['a member that is not known', { also: 'everything' }, /form/],
    ['another requester', { requested_by: 'owner' }, /requested_by/],
    ['a base revision that is not in force', { base_revision: 2 }, /stale/],
    ['a base SHA-256 that is not in force', { base_allowlist_sha256: '0'.repeat(64) }, /stale/],
    ['a permission that is there', { add_permission: 'inspect-status' }, /allowed already/],
    ['a permission of two lines', { add_permission: 'a\nb' }, /add_permission/],
    ['a list of permissions', { add_permission: ['a', 'b'] }, /add_permission/],
  ])('%s', (_what, change, words) => {
    stage.begin();
    stage.drop('proposal.json', stage.proposalText('export-report', change));
    refusal(stage.apply(), words);
  });

  test('a key that stands there twice, which readers would understand differently', () => {
    stage.begin();
    stage.drop('proposal.json', stage.proposalText('export-report').replace('{', '{"add_permission":"drop-tables",'));
    refusal(stage.apply(), /cannot be read/);
  });

  test('the wrong word of confirmation', () => {
    stage.begin();
    stage.ask('export-report');
    refusal(stage.guard('owner', 'apply-proposal', '--state', stage.state, '--confirm', 'yes'), /APPLY_PROPOSAL/);
  });

  test('without an id when two wait, naming both; each can be applied by its id, and the other is stale then', () => {
    stage.begin();
    stage.ask('export-report');
    stage.ask('summarize-recent-runs');
    const ids = stage.idsListed();
    const said = stage.apply();
    refusal(said, /2 proposals/);
    for (const id of ids) expect(said.err).toContain(id);
    const [first = '', second = ''] = ids;
    expect(stage.apply('--id', second)).toMatchObject({ code: 0, err: '' });
    expect(stage.apply('--id', first)).toMatchObject({ code: 2, err: expect.stringMatching(/stale/) });
    expect(stage.apply('--id', second)).toMatchObject({ code: 2, err: expect.stringMatching(/applied already/) });
    expect(stage.allowlist().revision).toBe(2);
  });
});

describe('the state is refused by every command', () => {
  const commands: readonly (readonly [string, (state: string) => Ran])[] = [
    ['check', (state) => stage.guard('agent', 'check', '--state', state, '--operation', 'inspect-status')],
    ['self-request', (state) => stage.guard('agent', 'self-request', '--state', state, '--permission', 'a', '--reason', 'b')],
    ['list', (state) => stage.guard('owner', 'list', '--state', state)],
    ['apply-proposal', (state) => stage.guard('owner', 'apply-proposal', '--state', state, '--confirm', 'APPLY_PROPOSAL')],
    ['reject', (state) => stage.guard('owner', 'reject', '--state', state, '--id', '0'.repeat(64), '--reason', 'no')],
  ];
  const refusedAll = (state: string, words: RegExp): void => {
    for (const [, command] of commands) {
      const said = command(state);
      expect(said).toMatchObject({ code: 2, out: '', err: expect.stringMatching(words) });
      expect(said.err).toMatch(oneErrorLine);
    }
  };

  test.each(['a folder above the state', 'the state itself', 'managed', 'the inbox'])('with a symbolic link at %s', (where) => {
    stage.begin();
    const at = { 'a folder above the state': stage.folder, 'the state itself': stage.state, managed: stage.managed, 'the inbox': stage.inbox }[where] ?? '';
    fs.renameSync(at, `${at}.real`);
    fs.symlinkSync(`${at}.real`, at);
    refusedAll(stage.state, /symbolic link/);
  });

  test('with a symbolic link at the allowlist', () => {
    stage.begin();
    const file = stage.allowlistFile;
    fs.renameSync(file, `${file}.real`);
    fs.symlinkSync(`${file}.real`, file);
    refusedAll(stage.state, /symbolic link/);
  });

  test('when others may write managed or the allowlist, or the allowlist is another user’s or no file', () => {
    stage.begin();
    const file = stage.allowlistFile;
    fs.chmodSync(stage.managed, 0o777);
    refusedAll(stage.state, /others than its owner/);
    fs.chmodSync(stage.managed, 0o755);
    fs.chmodSync(file, 0o664);
    refusedAll(stage.state, /others than its owner/);
    fs.chmodSync(file, 0o444);
    fs.chownSync(file, guardUsers.agent, guardUsers.agent);
    refusedAll(stage.state, /belongs to uid/);
    fs.rmSync(file);
    fs.mkdirSync(file);
    refusedAll(stage.state, /regular file/);
  });

  test('when it is not there', () => {
    refusedAll(stage.state, /does not exist/);
  });
});

