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
import { describeHeld, listHeld } from '@/lib/cli/replay/list-held';
import { measureSignalsOn } from '@/lib/cli/replay/measure/measure-signals-on';
import { tabulateSignals } from '@/lib/cli/replay/measure/tabulate-signals';
import { parseSuite } from '@/lib/cli/replay/parse-suite';
import { parseTraces } from '@/lib/cli/replay/parse-traces';
import type { RecordedTrace } from '@/lib/cli/replay/recorded-trace';
import { replayAll } from '@/lib/cli/replay/replay-all';
import type { ReplayStage } from '@/lib/cli/replay/replay-stage';
import type { ReplayedTrace } from '@/lib/cli/replay/replayed-trace';
import { reportReplay } from '@/lib/cli/replay/report-replay';
import { tabulateReplay } from '@/lib/cli/replay/tabulate-replay';
import { extendPolicy, statedTools } from '@/lib/cli/replay/take-tools/extend-policy';
import type { GivenTool } from '@/lib/cli/replay/take-tools/given-tool';
import { parseTools } from '@/lib/cli/replay/take-tools/parse-tools';
import { recipientsOf, takeTools } from '@/lib/cli/replay/take-tools/take-tools';
import { UsageError } from '@/lib/cli/usage-error';
import type { CompiledPolicy } from '@/lib/engine/policy';
import { formatOf, type PolicyFormat } from '@/lib/policy/read-text';
import { compilePolicyText } from '@/lib/server/compile-policy-text';
import { projectRoot } from '@/lib/server/project-root';
import { policyGroups } from '@/lib/services/console/policy-groups';
import type { Result } from '@/lib/shared/result';

const usage = `usage: countersign replay FILE… [--policy P] [--tools FILE] [--environment FILE] [--json]
       countersign replay FILE… --plane URL --credentials FILE [--environment FILE] [--json]
       countersign replay FILE… --measure [--policy P] [--tools FILE] [--environment FILE] [--json]

Sends recorded traces through a decision plane as agent, orchestrator and enforcement point would, and counts what became of them,
with 95 % intervals (Wilson) and what the held ones were. FILE is JSON Lines, or a suite of tasks and injections (.yaml). Without
--plane it starts a plane of its own in a temporary state directory.

  --policy P           the policy to decide by; left out: policies/recorded-tools.yaml
  --tools FILE         descriptions of tools (JSON Lines: name, description, JSON Schema of the parameters). Those that the policy does
                       not have are taken at careful defaults and held against policies/any-tools.yaml; a suite brings its own
  --environment FILE   known facts by suite (own address and domain, contacts, files, payees), supplied as attributes
  --plane URL          a plane that runs already, with its own policy in force
  --credentials FILE   its credentials, in the shape of demo.json
  --measure            no plane: how well each signal, and alignment, tells honest effects from attacks (area under the curve)
  --json               the counts as one line of JSON
Exit: 0 counted, 2 usage, or a file or the plane cannot be used.`;

const options = {
  policy: { type: 'string' }, tools: { type: 'string' }, environment: { type: 'string' }, plane: { type: 'string' }, credentials: { type: 'string' },
  measure: { type: 'boolean' }, json: { type: 'boolean' },
} as const;

const shippedPack = 'policies/recorded-tools.yaml';
const generalPack = 'policies/any-tools.yaml';

export const command: Command = {
  usage,
  run: async (args, terminal) => {
    const { values, positionals: files } = parseArgs({ args, options, allowPositionals: true });
    if (files.length === 0) throw new UsageError('Name at least one file of traces.');
    if ((values.plane === undefined) !== (values.credentials === undefined)) throw new UsageError('--plane and --credentials go together.');
    if (values.plane !== undefined && values.policy !== undefined) throw new UsageError('A plane that runs already decides by its own policy: leave --policy out.');

    if (values.plane !== undefined && (values.tools !== undefined || values.measure === true)) throw new UsageError('--tools and --measure are for a policy of your own: leave --plane out.');

    const read = await readTraces(files, terminal);
    if (!read) return exitCode.unusable;
    const described = values.tools === undefined ? [] : await readAs(values.tools, parseTools, terminal);
    const worlds = values.environment === undefined ? new Map<string, KnownWorld>() : await readAs(values.environment, parseEnvironments, terminal);
    if (!worlds || !described) return exitCode.unusable;
    const { traces } = read;
    const tools = [...read.tools, ...described];
    if (values.plane !== undefined && tools.length > 0) throw new UsageError('A suite brings tools that a plane which runs already does not know: leave --plane out.');

    const policy = values.plane === undefined ? await policyFor(values.policy ?? path.join(projectRoot(), shippedPack), tools, traces, terminal) : null;
    if (policy && values.measure === true) {
      const measured = measureSignalsOn(traces, policy, worlds);
      terminal.out(`${values.json === true ? JSON.stringify(measured) : tabulateSignals(measured)}\n`);
      return exitCode.done;
    }
    const stage = policy ? await openOwnStage({ ...policy, groups: policyGroups(policy.compiled) }, traces.length, worlds) : await givenStage(values.plane, values.credentials, terminal);
    if (!stage) return exitCode.unusable;
    const replayed = await replayAll(traces, worlds, stage, (count) => {
      if (count % 100 === 0) terminal.err(`${String(count)} of ${String(traces.length)} traces`);
    }, policy?.recipients);
    for (const line of listSurprises(replayed)) terminal.err(line);
    terminal.out(`${values.json === true ? JSON.stringify(reportReplay(replayed)) : inWords(replayed)}\n`);
    return exitCode.done;
  },
};

function inWords(replayed: readonly ReplayedTrace[]): string {
  const held = describeHeld(listHeld(replayed));
  return held === '' ? tabulateReplay(replayed) : `${tabulateReplay(replayed)}\n\nHonest work that did not go straight through:\n${held}`;
}

async function readTraces(files: readonly string[], terminal: Terminal): Promise<{ readonly traces: readonly RecordedTrace[]; readonly tools: readonly GivenTool[] } | null> {
  const traces: RecordedTrace[] = [];
  const tools: GivenTool[] = [];
  for (const file of files) {
    if (/\.ya?ml$/i.test(file)) {
      const suite = await readAs(file, parseSuite, terminal);
      if (!suite) return null;
      traces.push(...suite.traces);
      tools.push(...suite.tools);
      continue;
    }
    const read = await readAs(file, parseTraces, terminal);
    if (!read) return null;
    if (read.unread.length > 0) terminal.err(`${file}: fields that are not read: ${read.unread.join(', ')}`);
    traces.push(...read.traces);
  }
  return { traces, tools };
}

type ReplayPolicy = { readonly text: string; readonly format: PolicyFormat; readonly compiled: CompiledPolicy; readonly recipients: ReadonlySet<string> };

/** The policy with the tools that it does not know. Null after saying why it cannot be used: a plane without one would deny everything. */
async function policyFor(file: string, tools: readonly GivenTool[], traces: readonly RecordedTrace[], terminal: Terminal): Promise<ReplayPolicy | null> {
  const base = await compiledFile(file, terminal);
  if (!base) return null;
  const taken = takeTools(tools, [...new Set(traces.map(({ suite }) => suite))], statedTools(base), base.compiled.catalogue.aliases);
  for (const line of taken.left) terminal.err(`a tool is left out: ${line}`);
  if (taken.entries.length === 0) return { ...base, recipients: new Set() };
  const general = await compiledFile(path.join(projectRoot(), generalPack), terminal);
  const extended = general ? extendPolicy(base, general, taken.entries) : null;
  const compiled = extended?.ok === true ? compilePolicyText(extended.value, 'json') : extended;
  if (compiled?.ok === true && extended?.ok === true) return { text: extended.value, format: 'json', compiled: compiled.value, recipients: recipientsOf(taken.entries) };
  if (compiled?.ok === false) printFault(terminal, compiled.error, `${file} with the taken tools`);
  return null;
}

async function compiledFile(file: string, terminal: Terminal) {
  const text = await readFile(file, 'utf8');
  const format = formatOf(file);
  const compiled = compilePolicyText(text, format);
  if (compiled.ok) return { text, format, compiled: compiled.value };
  printFault(terminal, compiled.error, file);
  return null;
}

async function givenStage(url: string | undefined, file: string | undefined, terminal: Terminal): Promise<ReplayStage | null> {
  if (url === undefined || file === undefined) return null;
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
