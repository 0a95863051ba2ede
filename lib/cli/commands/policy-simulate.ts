import { parseArgs } from 'node:util';

import { exitCode, type Command, type Terminal } from '@/lib/cli/command';
import { decideAsked } from '@/lib/policy/simulate/decide-asked';
import { decisionLines } from '@/lib/policy/simulate/decision-lines';
import type { Asked } from '@/lib/policy/simulate/read-asked';
import { readQuestion } from '@/lib/cli/offline/read-question';
import { plainText } from '@/lib/cli/plain-text';
import type { CompiledPolicy } from '@/lib/engine/policy';

const usage = `usage: countersign policy simulate POLICY --action FILE|JSON [--context FILE|JSON] [--json]

Says what the policy decides about actions, without a plane: nothing is recorded, nothing runs.

  --action    {"tool":…,"operation":…,"parameters":…}, or a file with one such object or one a line; a "given" in it counts for it alone
  --context   what the session has seen, as under "given" in a policy's tests (YAML or JSON); left out: a quiet session without a request
  --json      one line of JSON an action: { action, decision } or { action, refused }
Exit: 0 everything was decided, 1 the policy has faults or an action is none of its catalogue, 2 usage, or a file cannot be read.`;

export const command: Command = {
  usage,
  run: async (args, terminal) => {
    const { values, positionals } = parseArgs({
      args, allowPositionals: true, options: { action: { type: 'string' }, context: { type: 'string' }, json: { type: 'boolean' } },
    });
    const question = await readQuestion(positionals, values, terminal);
    if (typeof question === 'number') return question;
    let good = true;
    for (const asked of question.actions) good = say(asked, question.policy, terminal, values.json === true) && good;
    return good ? exitCode.done : exitCode.refused;
  },
};

function say(asked: Asked, policy: CompiledPolicy, { out }: Terminal, json: boolean): boolean {
  const decided = decideAsked(asked, policy);
  const { tool, operation } = asked.action;
  if (json) {
    const answer = decided.ok ? { decision: decided.value.decision } : { refused: refusalOf(decided.error) };
    out(`${JSON.stringify({ action: asked.action, ...answer })}\n`);
    return decided.ok;
  }
  if (!decided.ok) {
    out(`${plainText(`refused  ${tool}.${operation} (${decided.error.code}): ${decided.error.detail}${decided.error.fix === undefined ? '' : ` ${decided.error.fix}`}`)}\n`);
    return false;
  }
  const { decision } = decided.value;
  out(`${plainText(`${decision.decision.padEnd(7)}  ${tool}.${operation} (${decision.code}): ${decision.reason}`)}\n`);
  for (const line of decisionLines(decision)) out(`         ${plainText(line)}\n`);
  return true;
}

/** Without the cause, which is for a log. */
const refusalOf = ({ code, detail, fix, issues }: { code: string; detail: string; fix?: string; issues?: readonly object[] }) => ({
  code, detail, ...(fix === undefined ? {} : { fix }), ...(issues === undefined ? {} : { issues }),
});
