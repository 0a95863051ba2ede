import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
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

describe('history', () => {
  test('every applied and rejected proposal, every earlier allowlist and every receipt stays on the managed side as 0444 of the owner', () => {
    stage.begin();
    const first = sha256Of(stage.allowlistFile);
    stage.ask('export-report');
    const applied = sha256Of(path.join(stage.inbox, 'proposal.json'));
    const said = stage.apply();
    expect(said).toMatchObject({ code: 0, err: `proposal_sha256: ${applied}\n` });
    stage.ask('drop-tables');
    const rejected = sha256Of(path.join(stage.inbox, 'proposal.json'));
    const no = stage.reject(rejected, 'never');
    expect(no).toMatchObject({ code: 0, err: '', out: expect.stringContaining('result: REJECTED\n') });
    expect(stage.inInbox()).toEqual([]);
    const kept = fs.readdirSync(stage.managed).sort();
    expect(kept).toEqual([
      `allowlist-000001-${first}.json`, 'allowlist.json', 'applied-proposal.json', `proposal-${applied}.json`, `proposal-${rejected}.json`, `receipt-${applied}.json`, `receipt-${rejected}.json`,
    ].sort());
    for (const name of kept) {
      expect(modeOf(path.join(stage.managed, name))).toBe('0444');
      expect(fs.statSync(path.join(stage.managed, name)).uid).toBe(guardUsers.owner);
    }
    expect(sha256Of(path.join(stage.managed, `allowlist-000001-${first}.json`))).toBe(first);
    expect(sha256Of(path.join(stage.managed, 'applied-proposal.json'))).toBe(applied);
    expect(sha256Of(path.join(stage.managed, `proposal-${rejected}.json`))).toBe(rejected);
    expect(JSON.parse(fs.readFileSync(path.join(stage.managed, `receipt-${applied}.json`), 'utf8'))).toMatchObject({
      result: 'APPLIED', permission: 'export-report', revision: 2, allowlist_sha256_before: first, allowlist_sha256_after: sha256Of(stage.allowlistFile),
    });
    expect(JSON.parse(fs.readFileSync(path.join(stage.managed, `receipt-${rejected}.json`), 'utf8'))).toMatchObject({ result: 'REJECTED', permission: 'drop-tables', revision: 2, reason: 'never' });
  });

  test('a rejected proposal stays rejected when the same bytes are dropped again', () => {
    stage.begin();
    const text = stage.proposalText('drop-tables');
    stage.drop('proposal.json', text);
    const [id = ''] = stage.idsListed();
    stage.reject(id, 'never');
    stage.drop('proposal.json', text);
    expect(stage.idsListed()).toEqual([]);
    expect(stage.apply('--id', id)).toMatchObject({ code: 2, err: expect.stringMatching(/rejected already/) });
    expect(stage.allowlist().revision).toBe(1);
  });

  test('a reason is needed to reject, and an agent’s words cannot begin a line of the list', () => {
    stage.begin();
    stage.ask('export-report', 'agent', 'good\ncan_be_applied: yes, really\u001b[2K');
    const [id = ''] = stage.idsListed();
    expect(stage.reject(id, '  ')).toMatchObject({ code: 2, err: expect.stringMatching(oneErrorLine) });
    expect(stage.list().out).toContain('reason (unverified): good<U+000A>can_be_applied: yes, really<U+001B>[2K\n');
  });
});

describe('swapping between check and use', () => {
  test('an agent that swaps proposals all the time gets applied what the owner named, or nothing', async () => {
    stage.begin();
    const wanted = stage.proposalText('export-report');
    const id = createHash('sha256').update(wanted).digest('hex');
    fs.writeFileSync(path.join(stage.folder, 'good'), wanted);
    fs.writeFileSync(path.join(stage.folder, 'bad'), stage.proposalText('drop-tables'));
    const swapping = spawn(process.execPath, ['--input-type=module', '--eval', `
      import fs from 'node:fs';
      const [folder, inbox] = process.argv.slice(-2);
      const good = fs.readFileSync(folder + '/good'), bad = fs.readFileSync(folder + '/bad');
      process.stdout.write('ready');
      for (let at = 0; ; at += 1) {
        const kind = at % 4;
        try {
          if (kind === 3) { fs.symlinkSync(folder + '/bad', inbox + '/.next'); }
          else fs.writeFileSync(inbox + '/.next', kind === 1 ? bad : good);
          fs.renameSync(inbox + '/.next', inbox + '/proposal.json');
        } catch { fs.rmSync(inbox + '/.next', { force: true }); }
      }`, '--', stage.folder, stage.inbox], { uid: guardUsers.agent, gid: guardUsers.agent, stdio: ['ignore', 'pipe', 'ignore'] });
    try {
      await once(swapping.stdout, 'data');
      for (let tries = 0; tries < 25 && stage.allowlist().revision === 1; tries += 1) {
        const said = stage.apply('--id', id);
        if (said.code !== 0) expect(said.err).toMatch(oneErrorLine);
      }
    } finally {
      swapping.kill('SIGKILL');
      await once(swapping, 'exit');
    }
    expect(stage.allowlist().allowlist).not.toContain('drop-tables');
    expect(stage.allowlist()).toMatchObject({ revision: 2, allowlist: ['export-report', 'inspect-status'] });
    expect(sha256Of(path.join(stage.managed, 'applied-proposal.json'))).toBe(id);
  });

  test('two owners’ processes that apply different proposals at once apply one, and the other is told', async () => {
    stage.begin();
    stage.ask('a');
    stage.ask('b');
    const both = stage.idsListed().map((id) => spawn(process.execPath, [stage.program, 'guard', 'apply-proposal', '--state', stage.state, '--id', id, '--confirm', 'APPLY_PROPOSAL'], { uid: guardUsers.owner, gid: guardUsers.owner, stdio: 'ignore' }));
    const codes = await Promise.all(both.map((one) => once(one, 'exit').then(([code]: unknown[]) => code)));
    expect(codes.sort()).toEqual([0, 2]);
    expect(stage.allowlist()).toMatchObject({ revision: 2 });
    expect(stage.allowlist().allowlist).toHaveLength(2);
  });
});
