import fs from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';

import { guardProgramOfSeed } from '@/lib/testing/guard-program-of-seed';
import { guardStage, guardUsers, modeOf, sha256Of, type GuardStage, type GuardUser, type Ran } from '@/lib/testing/guard-stage';

const seed = guardProgramOfSeed();

let stage: GuardStage;
let theirs: (user: GuardUser, ...args: readonly string[]) => Ran;
beforeEach(async (context) => {
  if (typeof seed === 'string') return context.skip(seed);
  stage = await guardStage(context);
  const program = path.join(stage.folder, 'seed.py');
  fs.writeFileSync(program, seed.source, { mode: 0o755 });
  fs.chmodSync(program, 0o755);
  theirs = (user, ...args) => stage.run(user, seed.python, program, ...args);
  const runs = theirs('agent', '--help');
  if (runs.code !== 0) return context.skip(`the agent's user cannot run ${seed.python}`);
  return () => stage.close();
});

type Program = 'ours' | 'theirs';
const by = (program: Program, user: GuardUser, ...args: readonly string[]): Ran => (program === 'ours' ? stage.guard(user, ...args) : theirs(user, ...args));

/** The commands of the document's demonstration, in its order, all by one user as it does, or each by its own. */
function demonstration(program: Program, state: string, agent: GuardUser): readonly Ran[] {
  return [
    by(program, 'owner', 'init', '--state', state, '--agent-uid', String(guardUsers.agent)),
    by(program, agent, 'check', '--state', state, '--operation', 'inspect-status'),
    by(program, agent, 'self-request', '--state', state, '--permission', 'export-report', '--reason', 'weekly report needs a new read-only export'),
    by(program, 'owner', 'apply-proposal', '--state', state, '--confirm', 'APPLY_PROPOSAL'),
    by(program, agent, 'check', '--state', state, '--operation', 'export-report'),
  ];
}

const hashes = /\b[0-9a-f]{64}\b/g;

describe('the demonstration of the document that the format comes from', () => {
  test('prints the same lines, apart from digests of files that hold the time, and exits 0 each time', () => {
    const [ours, other] = [demonstration('ours', 'ours-state', 'owner'), demonstration('theirs', 'their-state', 'owner')];
    expect(ours.map(({ code }) => code)).toEqual([0, 0, 0, 0, 0]);
    const lines = (said: readonly Ran[], state: string) => said.map(({ out }) => out.replaceAll(state, 'STATE').replaceAll(hashes, 'SHA-256'));
    expect(lines(ours, 'ours-state')).toEqual(lines(other, 'their-state'));
  });

  test('states one SHA-256 before and after the request, which is that of the file', () => {
    stage.init();
    const digest = sha256Of(stage.allowlistFile);
    expect(stage.ask('export-report').out.match(hashes)).toEqual([digest, digest]);
    expect(sha256Of(stage.allowlistFile)).toBe(digest);
  });

  test('leaves the same modes, and the same members in the same order in every file that both write', () => {
    for (const program of ['ours', 'theirs'] as const) demonstration(program, path.join(stage.folder, program), 'owner');
    const files = ['managed/allowlist.json', 'managed/applied-proposal.json'];
    const shape = (program: string) => files.map((file) => fs.readFileSync(path.join(stage.folder, program, file), 'utf8').replaceAll(hashes, 'SHA-256').replaceAll(/\d{4}-\d\d-\d\dT[\d:+-]+/g, 'TIME'));
    expect(shape('ours')).toEqual(shape('theirs'));
    const modes = (program: string) => ['managed', 'inbox', ...files].map((file) => modeOf(path.join(stage.folder, program, file)));
    expect(modes('ours')).toEqual(['0755', '0733', '0444', '0444']);
    expect(modes('ours')).toEqual(modes('theirs'));
  });
});

const programs: readonly Program[] = ['ours', 'theirs'];
const combinations = programs.flatMap((makes) => programs.flatMap((asks) => programs.map((applies) => ({ makes, asks, applies }))));

describe('state made by either program', () => {
  test.each(combinations)('made by $makes, asked for by $asks as the agent, is applied by $applies as the owner', ({ makes, asks, applies }) => {
    const { state } = stage;
    expect(by(makes, 'owner', 'init', '--state', state, '--agent-uid', String(guardUsers.agent))).toMatchObject({ code: 0 });
    const before = sha256Of(stage.allowlistFile);
    const asked = by(asks, 'agent', 'self-request', '--state', state, '--permission', 'export-report', '--reason', 'für den Bericht 😀 "quoted" \\ \u007f');
    expect(asked).toMatchObject({ code: 0, err: '' });
    expect(asked.out.match(hashes)).toEqual([before, before]);
    const proposal = sha256Of(path.join(stage.inbox, 'proposal.json'));
    const applied = by(applies, 'owner', 'apply-proposal', '--state', state, '--confirm', 'APPLY_PROPOSAL');
    // The other program cannot change the mode of a file that the agent owns, once it has moved it, unless its owner is root.
    const theirFault = applies === 'theirs';
    if (!theirFault) expect(applied).toMatchObject({ code: 0 });
    expect(stage.allowlist()).toMatchObject({ revision: 2, allowlist: ['export-report', 'inspect-status'], applied_proposal_sha256: proposal });
    expect(sha256Of(path.join(stage.managed, 'applied-proposal.json'))).toBe(proposal);
    expect(by('ours', 'agent', 'check', '--state', state, '--operation', 'export-report')).toMatchObject({ code: 0, out: expect.stringContaining('result: ALLOWED\nrevision: 2\n') });
    expect(by('theirs', 'agent', 'check', '--state', state, '--operation', 'export-report')).toMatchObject({ code: 0, out: expect.stringContaining('result: ALLOWED\nrevision: 2\n') });
  });

  test('goes on in the other: five applications, by turns, and each allowlist that ours replaces is kept', () => {
    by('theirs', 'owner', 'init', '--state', stage.state, '--agent-uid', String(guardUsers.agent));
    for (const [at, program] of (['ours', 'theirs', 'ours', 'theirs', 'ours'] as const).entries()) {
      by(program, 'agent', 'self-request', '--state', stage.state, '--permission', `permission-${String(at)}`, '--reason', 'by turns');
      by(program, 'owner', 'apply-proposal', '--state', stage.state, '--confirm', 'APPLY_PROPOSAL');
      expect(stage.allowlist().revision).toBe(at + 2);
    }
    expect(fs.readdirSync(stage.managed).filter((name) => name.startsWith('allowlist-'))).toHaveLength(3);
    // What the other program applied gets its receipt from the next command of ours.
    expect(fs.readdirSync(stage.managed).filter((name) => name.startsWith('receipt-'))).toHaveLength(5);
  });

  test('is as the other writes it, byte for byte, when nothing but the program differs', () => {
    by('theirs', 'owner', 'init', '--state', stage.state, '--agent-uid', String(guardUsers.agent));
    by('theirs', 'agent', 'self-request', '--state', stage.state, '--permission', 'zürich\u{1F600}', '--reason', '\u0001\u001f\u2028 é \u{FFFD}');
    const proposal = fs.readFileSync(path.join(stage.inbox, 'proposal.json'), 'utf8');
    const twice = stage.run('owner', process.execPath, '--input-type=module', '--eval', 'console.log(JSON.stringify(JSON.parse(process.argv.at(-1)), null, 2))', '--', proposal);
    // Both orders are by code point here, so the host's own writer of the parsed file must give the very text.
    expect(`${proposal}`).toBe(twice.out);
  });
});
