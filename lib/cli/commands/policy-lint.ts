import { parseArgs } from 'node:util';

import { exitCode, type Command } from '@/lib/cli/command';
import { annotationLine } from '@/lib/cli/offline/annotation';
import { plainText } from '@/lib/cli/plain-text';
import { readPolicyFile } from '@/lib/cli/policy-file';
import { UsageError } from '@/lib/cli/usage-error';
import { stockCatalogue } from '@/lib/mediate/stock';
import { lintPolicy } from '@/lib/policy/lint-policy';
import { parsePolicyTests } from '@/lib/policy/policy-tests';
import { parsePolicy } from '@/lib/policy/parse-policy';
import { nodeSha256 } from '@/lib/server/node-sha256';
import type { Fault } from '@/lib/shared/result';

const usage = `usage: countersign policy lint FILE… [--json | --annotations]

Prints everything that keeps a policy from loading, and what loads but probably does not mean what its author thinks.
A NAME.test.yaml is read as the tests that it is.

  --json          a list: { file, line, column, code, path, message, fix } for each finding
  --annotations   findings as workflow commands: ::error file=…,line=…,col=…::… for what keeps a file from loading, ::warning for the rest
Exit: 0 nothing found, 1 findings, 2 usage, or a file cannot be read.`;

type Finding = { readonly file: string; readonly line: number; readonly column: number; readonly code: string; readonly path: string; readonly message: string; readonly fix: string | null };

export const command: Command = {
  usage,
  run: async (args, terminal) => {
    const { values, positionals } = parseArgs({ args, allowPositionals: true, options: { json: { type: 'boolean' }, annotations: { type: 'boolean' } } });
    if (positionals.length === 0) throw new UsageError('Give at least one policy.');
    if (values.json === true && values.annotations === true) throw new UsageError('Give one of --json and --annotations.');
    const findings = (await Promise.all(positionals.map(findingsOf))).flat();
    if (values.json === true) terminal.out(`${JSON.stringify(findings, null, 2)}\n`);
    else for (const finding of findings) terminal.out(`${values.annotations === true ? annotationOf(finding) : lineOf(finding)}\n`);
    return findings.length === 0 ? exitCode.done : exitCode.refused;
  },
};

const lineOf = ({ file, line, column, code, path, message, fix }: Finding): string =>
  `${file}:${String(line)}:${String(column)}: ${code}: ${plainText(`${path === '' ? '' : `${path}: `}${message}${fix === null ? '' : ` ${fix}`}`)}`;

const annotationOf = ({ file, line, column, code, path, message, fix }: Finding): string =>
  annotationLine({
    level: code === 'policy_invalid' ? 'error' : 'warning', file, line, column, title: code,
    message: plainText(`${path === '' ? '' : `${path}: `}${message}${fix === null ? '' : ` ${fix}`}`),
  });

async function findingsOf(file: string): Promise<readonly Finding[]> {
  const policy = await readPolicyFile(file);
  if (!policy.ok) return [{ file, line: 1, column: 1, code: policy.error.code, path: '', message: policy.error.detail, fix: null }];
  if (isTests(file)) {
    const cases = parsePolicyTests(policy.value.text);
    return cases.ok ? [] : problemsOf(file, cases.error);
  }
  const parsed = parsePolicy(policy.value.text, { format: policy.value.format, catalogue: stockCatalogue(nodeSha256), sha256: nodeSha256 });
  if (parsed.ok) return lintPolicy(parsed.value).map(({ code, path, message, fix, line, column }) => ({ file, line, column, code, path, message, fix }));
  return problemsOf(file, parsed.error);
}

const isTests = (file: string): boolean => file.endsWith('.test.yaml');

const problemsOf = (file: string, { code, detail, issues = [{ path: '', message: detail }] }: Fault): readonly Finding[] =>
  issues.map(({ path, message, fix, line, column }) => ({ file, line: line ?? 1, column: column ?? 1, code, path, message, fix: fix ?? null }));
