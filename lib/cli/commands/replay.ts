import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';

import { exitCode, type Command, type Terminal } from '@/lib/cli/command';
import { printFault } from '@/lib/cli/print-fault';
import { openGivenStage } from '@/lib/cli/replay/given-stage';
import type { KnownWorld } from '@/lib/cli/replay/known-world';
import { listSurprises } from '@/lib/cli/replay/list-surprises';
import { openOwnStage } from '@/lib/cli/replay/own-stage';
import { parseCredentials } from '@/lib/cli/replay/parse-credentials';
import { parseEnvironments } from '@/lib/cli/replay/parse-environments';
import { parseTraces } from '@/lib/cli/replay/parse-traces';
import type { RecordedTrace } from '@/lib/cli/replay/recorded-trace';
import { replayAll } from '@/lib/cli/replay/replay-all';
import type { ReplayStage } from '@/lib/cli/replay/replay-stage';
import { scoreReplay } from '@/lib/cli/replay/score-replay';
import { tabulateReplay } from '@/lib/cli/replay/tabulate-replay';
import { UsageError } from '@/lib/cli/usage-error';
import { formatOf } from '@/lib/policy/read-text';
import { compilePolicyText } from '@/lib/server/compile-policy-text';
import { projectRoot } from '@/lib/server/project-root';
import { policyGroups } from '@/lib/services/console/policy-groups';
import type { Result } from '@/lib/shared/result';

const usage = `usage: countersign replay FILE… [--policy P] [--environment FILE] [--json]
       countersign replay FILE… --plane URL --credentials FILE [--environment FILE] [--json]

Sends recorded traces (JSON Lines) through a decision plane as agent, orchestrator and enforcement point would, and counts what
became of them. Without --plane it starts a plane of its own in a temporary state directory.

  --policy P           the policy to decide by; left out: policies/recorded-tools.yaml
  --environment FILE   known facts by suite (own address and domain, contacts, files, payees), supplied as attributes
  --plane URL          a plane that runs already, with its own policy in force
  --credentials FILE   its credentials, in the shape of demo.json
  --json               the counts as one line of JSON
Exit: 0 counted, 2 usage, or a file or the plane cannot be used.`;

const options = {
  policy: { type: 'string' }, environment: { type: 'string' }, plane: { type: 'string' }, credentials: { type: 'string' }, json: { type: 'boolean' },
} as const;

const shippedPack = 'policies/recorded-tools.yaml';

export const command: Command = {
  usage,
  run: async (args, terminal) => {
    const { values, positionals: files } = parseArgs({ args, options, allowPositionals: true });
    if (files.length === 0) throw new UsageError('Name at least one file of traces.');
    if ((values.plane === undefined) !== (values.credentials === undefined)) throw new UsageError('--plane and --credentials go together.');
    if (values.plane !== undefined && values.policy !== undefined) throw new UsageError('A plane that runs already decides by its own policy: leave --policy out.');

    const traces: RecordedTrace[] = [];
    for (const file of files) {
      const read = await readAs(file, parseTraces, terminal);
      if (!read) return exitCode.unusable;
      if (read.unread.length > 0) terminal.err(`${file}: fields that are not read: ${read.unread.join(', ')}`);
      traces.push(...read.traces);
    }
    const worlds = values.environment === undefined ? new Map<string, KnownWorld>() : await readAs(values.environment, parseEnvironments, terminal);
    if (!worlds) return exitCode.unusable;
    const stage =
      values.plane === undefined || values.credentials === undefined
        ? await ownStage(values.policy ?? path.join(projectRoot(), shippedPack), traces.length, worlds, terminal)
        : await givenStage(values.plane, values.credentials, terminal);
    if (!stage) return exitCode.unusable;

    const replayed = await replayAll(traces, worlds, stage, (count) => {
      if (count % 100 === 0) terminal.err(`${String(count)} of ${String(traces.length)} traces`);
    });
    for (const line of listSurprises(replayed)) terminal.err(line);
    terminal.out(`${values.json === true ? JSON.stringify(scoreReplay(replayed)) : tabulateReplay(replayed)}\n`);
    return exitCode.done;
  },
};

async function ownStage(file: string, traces: number, worlds: ReadonlyMap<string, KnownWorld>, terminal: Terminal): Promise<ReplayStage | null> {
  const text = await readFile(file, 'utf8');
  const format = formatOf(file);
  // Else the plane would deny everything, and the counts would say nothing of the policy.
  const compiled = compilePolicyText(text, format);
  if (compiled.ok) return await openOwnStage({ text, format, groups: policyGroups(compiled.value) }, traces, worlds);
  printFault(terminal, compiled.error, file);
  return null;
}

async function givenStage(url: string, file: string, terminal: Terminal): Promise<ReplayStage | null> {
  const credentials = await readAs(file, parseCredentials, terminal);
  return credentials ? openGivenStage(url, credentials) : null;
}

/** Null after saying what is wrong with the file. */
async function readAs<T>(file: string, parse: (text: string) => Result<T>, terminal: Terminal): Promise<T | null> {
  const read = parse(await readFile(file, 'utf8'));
  if (read.ok) return read.value;
  printFault(terminal, read.error, file);
  return null;
}
