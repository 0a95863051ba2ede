import { parseArgs } from 'node:util';

import { exitCode, type Command } from '@/lib/cli/command';
import { decideAsked } from '@/lib/cli/offline/decide-asked';
import { explainLines } from '@/lib/cli/offline/explain-lines';
import { explainRule } from '@/lib/cli/offline/explain-rule';
import { readQuestion } from '@/lib/cli/offline/read-question';
import { whatWouldChange } from '@/lib/cli/offline/what-would-change';
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
    const { parsed, policy, actions: [asked, ...more] } = question;
    if (asked === undefined || more.length > 0) throw new UsageError('Give one action.');
    const decided = decideAsked(asked, policy);
    if (!decided.ok) {
      printFault(terminal, decided.error);
      return exitCode.refused;
    }
    const { situation, decision } = decided.value;
    const key = `${situation.action.tool}.${situation.action.operation}`;
    const rules = policy.rules.filter(({ keys }) => keys.has(key)).map((rule) => explainRule(rule, situation));
    const changes = whatWouldChange(situation, parsed, decision);
    if (values.json === true) terminal.out(`${JSON.stringify({ action: asked.action, decision, rules, changes })}\n`);
    else for (const line of explainLines(decided.value, rules, changes)) terminal.out(`${plainText(line)}\n`);
    return exitCode.done;
  },
};
