import { parseArgs } from 'node:util';

import { exitCode, type Command } from '@/lib/cli/command';
import { explainLines } from '@/lib/cli/offline/explain-lines';
import { simulate } from '@/lib/policy/simulate/simulate';
import { readQuestion } from '@/lib/cli/offline/read-question';
import { plainText } from '@/lib/cli/plain-text';
import { printFault } from '@/lib/cli/print-fault';
import { UsageError } from '@/lib/cli/usage-error';

const usage = `usage: countersign policy explain POLICY --action FILE|JSON [--context FILE|JSON] [--json]

Says why the policy decides about one action as it does: the baseline, every rule for its tool and operation with what it read and
whether that is true, false or unknown, and every single rule or fact that would change the decision. See "policy simulate" for
--action and --context.

  --json      one line of JSON: { action, decision, rules, changes }
Exit: 0 explained, 1 the policy has faults or the action is none of its catalogue, 2 usage, or a file cannot be read.`;

export const command: Command = {
  usage,
  run: async (args, terminal) => {
    const { values, positionals } = parseArgs({
      args, allowPositionals: true, options: { action: { type: 'string' }, context: { type: 'string' }, json: { type: 'boolean' } },
    });
    const question = await readQuestion(positionals, values, terminal);
    if (typeof question === 'number') return question;
    const { parsed, actions: [asked, ...more] } = question;
    if (asked === undefined || more.length > 0) throw new UsageError('Give one action.');
    const explained = simulate(asked, parsed);
    if (!explained.ok) {
      printFault(terminal, explained.error);
      return exitCode.refused;
    }
    const { decision, rules, changes } = explained.value;
    if (values.json === true) terminal.out(`${JSON.stringify({ action: asked.action, decision, rules, changes })}\n`);
    else for (const line of explainLines(explained.value)) terminal.out(`${plainText(line)}\n`);
    return exitCode.done;
  },
};
