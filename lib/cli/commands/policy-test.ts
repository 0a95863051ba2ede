import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';

import { exitCode, type Command, type Terminal } from '@/lib/cli/command';
import { plainText } from '@/lib/cli/plain-text';
import { readPolicyFile } from '@/lib/cli/policy-file';
import { printFault } from '@/lib/cli/print-fault';
import { UsageError } from '@/lib/cli/usage-error';
import { parsePolicyTests, runPolicyTests } from '@/lib/policy/policy-tests';
import { compilePolicyText } from '@/lib/server/compile-policy-text';

const usage = `usage: countersign policy test FILE…

Decides each case of NAME.test.yaml with the policy beside it, NAME.yaml (or .json, .md).
Exit: 0 all as expected, 1 a case comes out differently or a file has faults, 2 usage, or a file cannot be read.`;

export const command: Command = {
  usage,
  run: async (args, terminal) => {
    const { positionals } = parseArgs({ args, allowPositionals: true, options: {} });
    if (positionals.length === 0) throw new UsageError('Give at least one policy.');
    let good = true;
    for (const file of positionals) good = (await testFile(file, terminal)) && good;
    return good ? exitCode.done : exitCode.refused;
  },
};

async function testFile(file: string, terminal: Terminal): Promise<boolean> {
  if (file.endsWith('.test.yaml')) throw new UsageError(`Give the policy, not its tests: ${file}.`);
  const policy = await readPolicyFile(file);
  const compiled = policy.ok ? compilePolicyText(policy.value.text, policy.value.format) : policy;
  const casesFile = `${file.replace(/\.(?:ya?ml|json|md|markdown)$/i, '')}.test.yaml`;
  const cases = parsePolicyTests(await readFile(casesFile, 'utf8'));
  if (!compiled.ok) printFault(terminal, compiled.error, file);
  if (!cases.ok) printFault(terminal, cases.error, casesFile);
  if (!compiled.ok || !cases.ok) return false;
  const results = runPolicyTests(cases.value, compiled.value);
  for (const { name, passed, wrong } of results) {
    terminal.out(`${passed ? 'ok    ' : 'FAILED'}  ${plainText(name)}\n`);
    for (const difference of wrong) terminal.out(`          ${plainText(difference)}\n`);
  }
  const failed = results.filter(({ passed }) => !passed).length;
  terminal.out(`${file}: ${String(results.length - failed)} of ${String(results.length)} cases as expected.\n`);
  return failed === 0;
}
