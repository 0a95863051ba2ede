import { parseArgs } from 'node:util';

import { exitCode, type Command, type Terminal } from '@/lib/cli/command';
import type { Adapter } from '@/lib/cli/conformance/adapter';
import { httpAdapter } from '@/lib/cli/conformance/http-adapter';
import { loadSuite, shippedSuite, type Suite } from '@/lib/cli/conformance/load-suite';
import { openPlane } from '@/lib/cli/conformance/plane/open-plane';
import { processAdapter } from '@/lib/cli/conformance/process-adapter';
import { protocolSchema } from '@/lib/cli/conformance/protocol-schema';
import { referenceAdapter } from '@/lib/cli/conformance/reference/reference-adapter';
import { reportLines } from '@/lib/cli/conformance/report-lines';
import { runSuite } from '@/lib/cli/conformance/run-suite';
import { printFault } from '@/lib/cli/print-fault';
import { UsageError } from '@/lib/cli/usage-error';

const usage = `usage: countersign conformance [--adapter A] [--only NAME…] [--suite FOLDER] [--json]
       countersign conformance --protocol

Plays every case of the conformance suite on a system and says which requirements it showed.

  --adapter core         the decision engine in this process, time moved by hand (left out: this)
  --adapter plane        a whole plane on a database of its own, over HTTP
  --adapter http://…     another system, by POST <base>/<call>
  --adapter exec:CMD     another system, as a program that reads calls and writes answers, one a line
  --only NAME            a case's id or a requirement (R1, R2, …); may be given more than once
  --suite FOLDER         another version of the cases than policies/conformance/v1
  --json                 the report as one line of JSON
  --protocol             the JSON Schema of calls and answers, for whoever writes an adapter
policies/conformance/README.md describes the calls. A case that needs what the system says it has not is counted as unsupported, and
its requirement as not shown.
Exit: 0 no case failed and at least one passed, 1 a case failed or none passed, 2 usage, or the suite or the system cannot be used.`;

const options = {
  adapter: { type: 'string' }, only: { type: 'string', multiple: true }, suite: { type: 'string' }, json: { type: 'boolean' }, protocol: { type: 'boolean' },
} as const;

export const command: Command = {
  usage,
  run: async (args, terminal) => {
    const { values } = parseArgs({ args, options });
    if (values.protocol === true) {
      if (args.length > 1) throw new UsageError('--protocol stands alone.');
      terminal.out(`${JSON.stringify(protocolSchema(), null, 2)}\n`);
      return exitCode.done;
    }
    const open = adapterOf(values.adapter ?? 'core');
    const loaded = await loadSuite(values.suite ?? shippedSuite());
    if (!loaded.ok) {
      printFault(terminal, loaded.error);
      return exitCode.unusable;
    }
    const suite = values.only === undefined ? loaded.value : only(loaded.value, values.only);
    const report = await played(suite, open, terminal, values.json === true);
    terminal.out(values.json === true ? `${JSON.stringify(report)}\n` : `${reportLines(report).join('\n')}\n`);
    return report.failed === 0 && report.passed > 0 ? exitCode.done : exitCode.refused;
  },
};

async function played(suite: Suite, open: (suite: Suite) => Promise<Adapter>, { err }: Terminal, quiet: boolean): ReturnType<typeof runSuite> {
  const adapter = await open(suite);
  let done = 0;
  try {
    return await runSuite(suite, adapter, () => {
      done += 1;
      if (!quiet && done % 50 === 0) err(`${String(done)} of ${String(suite.cases.length)} cases`);
    });
  } finally {
    await adapter.close();
  }
}

function adapterOf(named: string): (suite: Suite) => Promise<Adapter> {
  if (named === 'plane') return ({ cast }) => openPlane(cast);
  if (named === 'core') return () => Promise.resolve(referenceAdapter());
  if (/^https?:\/\//.test(named) && URL.canParse(named)) return () => Promise.resolve(httpAdapter(named));
  const [, program] = /^exec:(.*\S.*)$/s.exec(named) ?? [];
  if (program !== undefined) return () => Promise.resolve(processAdapter(program));
  throw new UsageError(`There is no adapter ${JSON.stringify(named)}.`);
}

function only(suite: Suite, names: readonly string[]): Suite {
  const unknown = names.find((name) => !suite.cases.some(({ id, shows }) => id === name || shows === name));
  if (unknown !== undefined) throw new UsageError(`No case and no requirement is called ${JSON.stringify(unknown)}.`);
  return { ...suite, cases: suite.cases.filter(({ id, shows }) => names.includes(id) || names.includes(shows)) };
}
