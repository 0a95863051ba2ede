import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';

import { exitCode, type Command } from '@/lib/cli/command';
import { annotationLine } from '@/lib/cli/offline/annotation';
import { plainText } from '@/lib/cli/plain-text';
import { readPolicyFile } from '@/lib/cli/policy-file';
import { UsageError } from '@/lib/cli/usage-error';
import { parsePolicyTests, placesOfTests, runPolicyTests } from '@/lib/policy/policy-tests';
import { compilePolicyText } from '@/lib/server/compile-policy-text';
import type { Fault } from '@/lib/shared/result';

const usage = `usage: countersign policy test FILE… [--json | --annotations]

Decides each case of NAME.test.yaml with the policy beside it, NAME.yaml (or .json, .md).

  --json          a list: { file, line, column, name, passed, wrong } for each case; name is null for what keeps a file from being read
  --annotations   what went wrong as workflow commands: ::error file=…,line=…,col=…::…
Exit: 0 all as expected, 1 a case comes out differently or a file has faults, 2 usage, or a file cannot be read.`;

/** A case with its place; without a name: what keeps policy or tests from being read. */
type Tested = { readonly file: string; readonly line: number; readonly column: number; readonly name: string | null; readonly passed: boolean; readonly wrong: readonly string[] };

export const command: Command = {
  usage,
  run: async (args, { out }) => {
    const { values, positionals } = parseArgs({ args, allowPositionals: true, options: { json: { type: 'boolean' }, annotations: { type: 'boolean' } } });
    if (positionals.length === 0) throw new UsageError('Give at least one policy.');
    if (values.json === true && values.annotations === true) throw new UsageError('Give one of --json and --annotations.');
    const tested: Tested[] = [];
    for (const file of positionals) {
      const results = await testFile(file);
      tested.push(...results);
      if (values.json === true) continue;
      for (const line of values.annotations === true ? annotationsOf(results) : linesOf(file, results)) out(`${line}\n`);
    }
    if (values.json === true) out(`${JSON.stringify(tested, null, 2)}\n`);
    return tested.every(({ passed }) => passed) ? exitCode.done : exitCode.refused;
  },
};

async function testFile(file: string): Promise<readonly Tested[]> {
  if (file.endsWith('.test.yaml')) throw new UsageError(`Give the policy, not its tests: ${file}.`);
  const policy = await readPolicyFile(file);
  const compiled = policy.ok ? compilePolicyText(policy.value.text, policy.value.format) : policy;
  const casesFile = `${file.replace(/\.(?:ya?ml|json|md|markdown)$/i, '')}.test.yaml`;
  const text = await readFile(casesFile, 'utf8');
  const cases = parsePolicyTests(text);
  if (!compiled.ok || !cases.ok) return [...(compiled.ok ? [] : faultsOf(file, compiled.error)), ...(cases.ok ? [] : faultsOf(casesFile, cases.error))];
  const places = placesOfTests(text, cases.value.length);
  return runPolicyTests(cases.value, compiled.value).map(({ name, passed, wrong }, at) => ({ file: casesFile, ...(places[at] ?? { line: 1, column: 1 }), name, passed, wrong }));
}

const faultsOf = (file: string, { detail, issues = [{ path: '', message: detail }] }: Fault): readonly Tested[] =>
  issues.map(({ path, message, fix, line, column }) => ({
    file, line: line ?? 1, column: column ?? 1, name: null, passed: false, wrong: [`${path === '' ? '' : `${path}: `}${message}${fix === undefined ? '' : ` ${fix}`}`],
  }));

function linesOf(file: string, results: readonly Tested[]): readonly string[] {
  const faults = results.filter(({ name }) => name === null);
  if (faults.length > 0) return faults.map(({ file: where, line, column, wrong }) => `${where}:${String(line)}:${String(column)}: ${plainText(wrong.join(' '))}`);
  const passed = results.filter((result) => result.passed).length;
  return [
    ...results.flatMap(({ name, wrong, ...result }) => [
      `${result.passed ? 'ok    ' : 'FAILED'}  ${plainText(name ?? '')}`,
      ...wrong.map((difference) => `          ${plainText(difference)}`),
    ]),
    `${file}: ${String(passed)} of ${String(results.length)} cases as expected.`,
  ];
}

const annotationsOf = (results: readonly Tested[]): readonly string[] =>
  results
    .filter(({ passed }) => !passed)
    .map(({ file, line, column, name, wrong }) => annotationLine({ level: 'error', file, line, column, title: name ?? 'policy_invalid', message: wrong.map(plainText).join('\n') }));
