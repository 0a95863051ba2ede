import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { once } from 'node:events';
import os from 'node:os';
import path from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { freePort } from '@/lib/cli/temporary-plane';
import { runCli } from '@/lib/testing/run-cli';

import type { Adapter } from './adapter';
import { loadSuite, shippedSuite } from './load-suite';
import { referenceAdapter } from './reference/reference-adapter';
import { runSuite, type SuiteReport } from './run-suite';

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'countersign-conformance-'));
});
afterAll(async () => {
  await rm(folder, { recursive: true });
});

const write = async (name: string, text: string): Promise<string> => {
  const file = path.join(folder, name);
  await writeFile(file, text);
  return file;
};
const conformance = (...args: string[]) => runCli({}, 'conformance', ...args);
const adapterOf = async (name: string, text: string): Promise<string> => `exec:${process.execPath} ${await write(name, text)}`;

describe('countersign conformance', () => {
  test('the core passes every case, and stdout is the report alone', async () => {
    const said = await conformance('--json');
    expect(said).toMatchObject({ code: 0, err: '' });
    const report = JSON.parse(said.out);
    expect(report).toMatchObject({ suite: 'countersign/conformance/v1', adapter: 'core', failed: 0, unsupported: 0 });
    expect(report.passed).toBe(report.cases);
    expect(report.cases).toBeGreaterThanOrEqual(80);
    for (const name of ['R1', 'R2', 'R3', 'R4', 'R6']) expect(report.requirements[name].shown).toBe(true);
  }, 30_000);

  test('the adapter in the README is one: a system that denies everything passes where that is right, and shows nothing', async () => {
    const readme = await readFile(path.join(shippedSuite(), '..', 'README.md'), 'utf8');
    const [, program = ''] = /```js\n([\s\S]*?)```/.exec(readme) ?? [];
    const said = await conformance('--json', '--adapter', await adapterOf('readme.mjs', program));
    expect(said.code).toBe(1);
    const { results, requirements }: SuiteReport = JSON.parse(said.out);
    const outcomeOf = (id: string) => results.find((one) => one.id === id)?.outcome;
    expect(['forbidden-does-not-run', 'allowed-runs-once', 'kill-switch-denies'].map(outcomeOf)).toEqual(['passed', 'failed', 'unsupported']);
    expect(Object.values(requirements).map(({ shown }) => shown)).toEqual([false, false, false, false, false]);
    expect(JSON.stringify(results)).not.toContain('The adapter’s answer');
  }, 30_000);

  test('the counts in the README are those of the suite', async () => {
    const readme = await readFile(path.join(shippedSuite(), '..', 'README.md'), 'utf8');
    const suite = await loadSuite(shippedSuite());
    if (!suite.ok) throw new Error(suite.error.detail);
    expect(readme).toContain(`${String(suite.value.cases.length)} cases, \`${suite.value.version}\``);
    for (const name of ['R1', 'R2', 'R3', 'R4', 'R6'] as const) {
      const count = suite.value.cases.filter(({ shows }) => shows === name).length;
      expect(readme).toMatch(new RegExp(`\\| ${name} \\|.*\\| ${String(count)} \\|`));
    }
  });

  test('a system behind an address is asked by POST', async () => {
    const port = await freePort();
    const asked: (string | undefined)[] = [];
    const server = createServer((request, response) => {
      asked.push(`${request.method ?? ''} ${request.url ?? ''}`);
      response.setHeader('content-type', 'application/json').end('{"unsupported":"everything"}');
    });
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    const said = await conformance('--adapter', `http://127.0.0.1:${String(port)}/`, '--only', 'permit-runs-out');
    server.close();
    expect(said.code).toBe(1);
    expect(said.out).toContain('1 unsupported');
    expect(asked).toEqual(['POST /load_policy']);
  });

  test('a system that is not there is exit 2, not a failure of its cases', async () => {
    const said = await conformance('--adapter', `http://127.0.0.1:${String(await freePort())}`);
    expect(said).toMatchObject({ code: 2, out: '' });
    expect(said.err).toContain('Nothing answers');
    expect(await conformance('--adapter', await adapterOf('ends.mjs', 'process.exit(0)'))).toMatchObject({ code: 2, out: '' });
  });

  test('an answer that does not fit the protocol fails its case, and its text reaches no terminal as it is', async () => {
    const said = await conformance('--only', 'permit-runs-out', '--adapter', await adapterOf('odd.mjs', "process.stdin.on('data', () => console.log(JSON.stringify({ refused: 'a\\u001b[2J' })))"));
    expect(said.code).toBe(1);
    expect(said.out).toContain('refused: a<U+001B>[2J');
    const other = await conformance('--only', 'permit-runs-out', '--adapter', await adapterOf('wrong.mjs', "process.stdin.on('data', () => console.log('{\"decison\":1}'))"));
    expect(other.out).toContain('does not fit the protocol');
  });

  test('the published protocol takes every call of the suite and every answer of the core', async () => {
    const said = await conformance('--protocol');
    expect(said).toMatchObject({ code: 0, err: '' });
    const accepts = new Ajv2020({ strict: false }).compile<unknown>(JSON.parse(said.out));
    const suite = await loadSuite(shippedSuite());
    if (!suite.ok) throw new Error(suite.error.detail);
    const core = referenceAdapter();
    const refused: unknown[] = [];
    const ask: Adapter['ask'] = async (call) => {
      const answer = await core.ask(call);
      if (!accepts({ call, answer })) refused.push([call, answer, accepts.errors]);
      return answer;
    };
    await runSuite(suite.value, { ...core, ask });
    expect(refused).toEqual([]);
    expect(accepts({ call: { call: 'state', of: 'action', id: 'a', after_s: 0 }, answer: { decision: 'WARN' } })).toBe(false);
  }, 30_000);

  test.each([
    ['the protocol and something else', ['--protocol', '--json']],
    ['an adapter that is none', ['--adapter', 'sidecar']],
    ['a program without a name', ['--adapter', 'exec: ']],
    ['a case that is none', ['--only', 'no-such-case']],
    ['words that no option takes', ['core']],
  ])('%s is a usage error', async (_what, args) => {
    const said = await conformance(...args);
    expect(said).toMatchObject({ code: 2, out: '' });
    expect(said.err).toContain('usage: countersign conformance');
  });

  test('a suite that does not fit is refused with file, place and reason', async () => {
    await write('suite.yaml', 'suite: countersign/conformance/v1\ncast: {}\nsettings: {}\n');
    const said = await conformance('--suite', folder);
    expect(said).toMatchObject({ code: 2, out: '' });
    expect(said.err).toContain('error: invalid_input: suite.yaml');
    expect(said.err).toContain('cast.people');
  });
});
