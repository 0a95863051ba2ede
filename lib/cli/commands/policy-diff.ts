import { parseArgs } from 'node:util';

import { createTwoFilesPatch } from 'diff';

import { exitCode, type Command, type Terminal } from '@/lib/cli/command';
import { comparisonLines } from '@/lib/cli/offline/comparison-lines';
import { lookAtAuthority, withWorkspace } from '@/lib/cli/open-console';
import { plainText } from '@/lib/cli/plain-text';
import { readPolicyFile, type PolicyFile } from '@/lib/cli/policy-file';
import { printFault } from '@/lib/cli/print-fault';
import { UsageError } from '@/lib/cli/usage-error';
import { comparePolicies } from '@/lib/policy/compare/compare-policies';
import { compilePolicyText } from '@/lib/server/compile-policy-text';
import { nodeSha256 } from '@/lib/server/node-sha256';
import { verifySignature } from '@/lib/server/verify-signature';
import { placesIn } from '@/lib/services/proven-place';
import { earlierText } from '@/lib/services/proposals/earlier-text';
import { digestOf, utf8 } from '@/lib/shared/encoding';
import { ok, type Result } from '@/lib/shared/result';

const usage = `usage: countersign policy diff A B [--json]

What B changes against A: the lines, and for each agent, tool, operation and class of arguments whose decision changes, from what to what,
with an action that shows it. A and B are files, or revisions of the workspace written as r3.

  --json      one line of JSON: { a, b, same, patch, comparison }; the comparison is null when one of them does not load
Exit: 0 the texts are the same, 1 they differ or one does not load, 2 usage, or a file or revision cannot be read.`;

type Side = { readonly name: string; readonly text: string; readonly format: PolicyFile['format'] };

export const command: Command = {
  usage,
  run: async (args, terminal) => {
    const { values, positionals } = parseArgs({ args, allowPositionals: true, options: { json: { type: 'boolean' } } });
    const [first, second, ...more] = positionals;
    if (first === undefined || second === undefined || more.length > 0) throw new UsageError('Give two policies.');
    const sides = await readSides([first, second], terminal);
    if (!sides.ok) {
      printFault(terminal, sides.error);
      return exitCode.unusable;
    }
    const [a, b] = sides.value;
    return say(a, b, terminal, values.json === true);
  },
};

function say(a: Side, b: Side, terminal: Terminal, json: boolean): number {
  const same = a.text === b.text;
  const compiled = [a, b].map((side) => ({ side, result: compilePolicyText(side.text, side.format) }));
  const [before, after] = compiled.map(({ result }) => (result.ok ? result.value : null));
  const comparison = before && after ? comparePolicies(before, after) : null;
  const patch = same ? '' : createTwoFilesPatch(a.name, b.name, a.text, b.text, undefined, undefined, { context: 3 });
  if (json) {
    terminal.out(`${JSON.stringify({ a: nameOf(a), b: nameOf(b), same, patch, comparison })}\n`);
  } else {
    for (const line of patch.split('\n').filter((_, at) => at > 0)) if (line !== '') terminal.out(`${plainText(line)}\n`);
    if (comparison) for (const line of same ? ['The texts are the same.'] : comparisonLines(comparison)) terminal.out(`${plainText(line)}\n`);
  }
  for (const { side, result } of compiled) if (!result.ok) printFault(terminal, result.error, side.name);
  return same && comparison ? exitCode.done : exitCode.refused;
}

const nameOf = ({ name, text }: Side) => ({ name, digest: digestOf(nodeSha256, utf8(text)) });

/** The database is opened only for a revision, and once for both. */
async function readSides([first, second]: readonly [string, string], terminal: Terminal): Promise<Result<readonly [Side, Side]>> {
  const read = async (text: string, revision: (wanted: number) => Promise<Result<Side>>): Promise<Result<Side>> => {
    const wanted = revisionOf(text);
    if (wanted !== null) return await revision(wanted);
    const file = await readPolicyFile(text);
    return file.ok ? ok({ name: text, text: file.value.text, format: file.value.format }) : file;
  };
  const both = async (revision: (wanted: number) => Promise<Result<Side>>): Promise<Result<readonly [Side, Side]>> => {
    const [a, b] = [await read(first, revision), await read(second, revision)];
    if (!a.ok) return a;
    return b.ok ? ok([a.value, b.value]) : b;
  };
  if (revisionOf(first) === null && revisionOf(second) === null) return await both(() => Promise.reject(new Error('No revision was named.')));
  return await withWorkspace(terminal, async (open) => {
    const inForce = await lookAtAuthority(open);
    const isAt = placesIn(open.stores.log, nodeSha256, async () => (inForce.denied === null ? inForce.head : undefined));
    const parts = { ...open.stores, cryptography: { sha256: nodeSha256, verify: verifySignature, isAt }, inForce: { current: async () => inForce } };
    return await both(async (wanted) => {
      const found = await earlierText(parts, wanted);
      return found.ok ? ok({ name: `r${String(wanted)}`, text: found.value.text, format: found.value.format }) : found;
    });
  });
}

const revisionOf = (text: string): number | null => (/^r[1-9]\d{0,8}$/.test(text) ? Number(text.slice(1)) : null);
