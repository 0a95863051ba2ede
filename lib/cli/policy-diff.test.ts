import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { policyText } from '@/lib/testing/engine-fixtures';
import { runCli } from '@/lib/testing/run-cli';

let folder: string;

const rules = (decision: string, reason = 'Because.'): string => policyText(`
  - { id: mail, match: { tool: email, operation: send }, action: ${decision}, reason: ${reason} }`);

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'countersign-diff-'));
});
afterAll(async () => {
  await rm(folder, { recursive: true });
});

async function write(name: string, text: string): Promise<string> {
  const file = path.join(folder, name);
  await writeFile(file, text);
  return file;
}
const diff = (...args: string[]) => runCli({}, 'policy', 'diff', ...args);

describe('policy diff', () => {
  test('says which lines differ, and that they loosen, with an action that shows it', async () => {
    const said = await diff(await write('a.yaml', rules('DENY')), await write('b.yaml', rules('ALLOW')));
    expect(said).toMatchObject({ code: 1, err: '' });
    expect(said.out).toMatch(/^-.*action: DENY/m);
    expect(said.out).toMatch(/^\+.*action: ALLOW/m);
    expect(said.out).toContain('(loosen)');
    expect(said.out).toMatch(/loosens: email\.send/);
    expect(said.out).toContain('DENY → ALLOW');
    expect(said.out).toMatch(/shown by \{.*"to"/);
  });

  test('as JSON, in which the class can be read by a program', async () => {
    const said = await diff(await write('a.yaml', rules('ALLOW')), await write('b.yaml', rules('DENY')), '--json');
    expect(said.code).toBe(1);
    expect(JSON.parse(said.out)).toMatchObject({ same: false, a: { digest: expect.stringMatching(/^[0-9a-f]{64}$/) }, comparison: { change: 'tighten', exhaustive: true } });
  });

  test('texts that differ in words alone decide the same, and that is said', async () => {
    const said = await diff(await write('a.yaml', rules('DENY')), await write('b.yaml', `${rules('DENY')}\n# a word more\n`));
    expect(said.code).toBe(1);
    expect(said.out).toContain('Both decide the same about everything. (none)');
  });

  test('the same text is exit 0', async () => {
    expect(await diff(await write('a.yaml', rules('DENY')), await write('b.yaml', rules('DENY')))).toEqual({ code: 0, out: 'The texts are the same.\n', err: '' });
  });

  test('one that does not load is compared by its lines, and told with its places', async () => {
    const file = await write('b.yaml', rules('MAYBE'));
    const said = await diff(await write('a.yaml', rules('DENY')), file);
    expect(said.code).toBe(1);
    expect(said.out).toMatch(/^\+.*action: MAYBE/m);
    expect(said.err).toMatch(/error: policy_invalid: /);
    expect(said.err).toContain(`${file}:`);
  });

  test('a file that is not there, and one policy alone, are exit 2', async () => {
    expect(await diff(await write('a.yaml', rules('DENY')), path.join(folder, 'none.yaml'))).toMatchObject({ code: 2, out: '' });
    expect(await diff(await write('a.yaml', rules('DENY')))).toMatchObject({ code: 2, out: '' });
  });
});
