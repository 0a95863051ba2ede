import { readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';

import { commandTable } from '@/lib/cli/command-table';
import { runCli } from '@/lib/testing/run-cli';

const policies = path.resolve(import.meta.dirname, '../../policies');

describe('the countersign command', () => {
  test('--help lists every command on stdout', async () => {
    const said = await runCli({}, '--help');
    expect(said).toMatchObject({ code: 0, err: '' });
    for (const name of Object.keys(commandTable)) expect(said.out).toContain(`  ${name} `);
  });

  test.each(Object.keys(commandTable))('%s --help says how it is called and how it exits', async (name) => {
    const said = await runCli({}, ...name.split(' '), '--help');
    expect(said).toMatchObject({ code: 0, err: '' });
    expect(said.out).toContain(`usage: countersign ${name}`);
    expect(said.out).toMatch(/exit/i);
  });

  test.each(Object.keys(commandTable))('%s refuses an unknown option with its usage and exit 2', async (name) => {
    const said = await runCli({}, ...name.split(' '), '--no-such-option');
    expect(said).toMatchObject({ code: 2, out: '' });
    expect(said.err).toMatch(/^error: .*no-such-option/);
    expect(said.err).toContain(`usage: countersign ${name}`);
  });

  test.each([
    ['nothing at all', []],
    ['an unknown command', ['frobnicate']],
    ['a group alone', ['policy']],
    ['an unknown command of a group', ['policy', 'burn']],
    ['a name of every object', ['constructor']],
  ])('%s is a usage error', async (_what, args) => {
    expect(await runCli({}, ...args)).toMatchObject({ code: 2, out: '' });
  });

  test('policy --help lists the commands about policies only', async () => {
    const said = await runCli({}, 'policy', '--help');
    expect(said.code).toBe(0);
    expect(said.out).toContain('policy apply');
    expect(said.out).not.toContain('fsck');
  });

  test.each([
    ['export without --out', ['export']],
    ['export of a position that is none', ['export', '--out', 'x', '--from', '-1']],
    ['export of a range and a session', ['export', '--out', 'x', '--from', '1', '--session', `ses_${'0'.repeat(22)}`]],
    ['export of a session that is none', ['export', '--out', 'x', '--session', 'all']],
    ['verify without a bundle', ['verify']],
    ['verify with two', ['verify', 'a', 'b']],
    ['verify with a root that is no fingerprint', ['verify', 'a', '--root', 'ABC']],
    ['policy sign of two files', ['policy', 'sign', 'a', 'b', '--key', 'c']],
    ['policy apply of a revision that is none', ['policy', 'apply', 'a', '--key', 'c', '--revision', '0']],
  ])('%s is a usage error before anything is opened', async (_what, args) => {
    const said = await runCli({}, ...args);
    expect(said).toMatchObject({ code: 2, out: '' });
    expect(said.err).toContain('usage: countersign');
  });

  test('a settings fault is said by name', async () => {
    const said = await runCli({ PORT: 'many' }, 'fsck');
    expect(said.code).toBe(2);
    expect(said.err).toContain('PORT');
  });

  test.each(['fsck', 'set-up-link', 'trust show'])('%s does not make a database where there is none', async (name) => {
    const said = await runCli({ COUNTERSIGN_STATE: path.join(import.meta.dirname, 'no-such-state') }, ...name.split(' '));
    expect(said.code).toBe(2);
    expect(said.err).toMatch(/There is no database in .*no-such-state/);
  });

  test('everything in policies/ is free of findings, tests included', async () => {
    const files = readdirSync(policies).filter((name) => name.endsWith('.yaml'));
    expect(files.some((name) => name.endsWith('.test.yaml'))).toBe(true);
    expect(await runCli({}, 'policy', 'lint', ...files.map((name) => path.join(policies, name)))).toEqual({ code: 0, out: '', err: '' });
  });

  test('the shipped policies pass their tests', async () => {
    const said = await runCli({}, 'policy', 'test', path.join(policies, 'starter.yaml'), path.join(policies, 'demo.yaml'));
    expect(said).toMatchObject({ code: 0, err: '' });
    expect(said.out).not.toContain('FAILED');
  });
});
