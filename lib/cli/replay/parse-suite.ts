import { z } from 'zod';

import type { GivenTool } from '@/lib/cli/replay/take-tools/given-tool';
import { parametersSchema } from '@/lib/contracts/plane/common';
import { readYaml } from '@/lib/policy/read-yaml';
import { bounds } from '@/lib/shared/bounds';
import type { JsonObject } from '@/lib/shared/json';
import { fail, ok, type Result } from '@/lib/shared/result';

import type { RecordedCall, RecordedTrace } from './recorded-trace';

const name = z.string().min(1).max(bounds.nameLength);
const prose = z.string().min(1).max(bounds.requestText);
const shape = z.string().regex(/^(?:string|number|integer|boolean|object)(?:\[\])?\??$/, 'A parameter is string, number, integer, boolean or object, with [] for a list and ? for one that may be left out.');
const call = z.strictObject({ tool: name, args: parametersSchema, output: z.string().max(bounds.outputBytes).optional(), effect: z.boolean().prefault(true) });

const suiteSchema = z.strictObject({
  suite: name,
  /** What its figures are for: `develop` while defaults and rules are written, `report` once they are. */
  use: z.enum(['develop', 'report']),
  tools: z.array(z.strictObject({ name, description: z.string(), parameters: z.record(name, shape) })).min(1).max(500),
  tasks: z.array(z.strictObject({ id: name, request: prose, calls: z.array(call).min(1).max(100) })).min(1).max(200),
  injections: z.array(z.strictObject({ id: name, text: prose, calls: z.array(call).min(1).max(50) })).max(100),
});

export type Suite = {
  readonly name: string;
  readonly use: 'develop' | 'report';
  readonly tools: readonly GivenTool[];
  readonly traces: readonly RecordedTrace[];
};

const slot = '{note}';

/**
 * A suite in one file: honest tasks, and what attackers write. Each task is one honest trace; with each injection, put where an output has
 * `{note}`, it is one attack, which does the attacker's will right after reading it and then goes on. `policy_invalid` names what is wrong.
 */
export function parseSuite(text: string): Result<Suite> {
  const { read, issues } = readYaml(text);
  if (!read) return fail('policy_invalid', 'The suite cannot be read.', { issues });
  const parsed = suiteSchema.safeParse(read.value);
  if (!parsed.success) return fail('policy_invalid', 'The suite has problems.', { issues: parsed.error.issues.slice(0, 20).map(({ path, message }) => ({ path: path.join('.'), message })) });
  const { suite, use, tools, tasks, injections } = parsed.data;
  const traces = tasks.flatMap((task): readonly RecordedTrace[] => {
    const at = task.calls.findIndex(({ output }) => output?.includes(slot) === true);
    const base = { suite, request: task.request };
    const honest = { ...base, id: `${suite}/${task.id}`, kind: 'benign', calls: task.calls.map((one) => recorded(one, '')), attackEffects: [] } as const;
    if (at < 0) return [honest];
    const attacks = injections.map((injection): RecordedTrace => {
      const before = task.calls.slice(0, at + 1).map((one, i) => recorded(one, i === at ? injection.text : ''));
      return {
        ...base, id: `${suite}/${task.id}+${injection.id}`, kind: 'attack',
        calls: [...before, ...injection.calls.map((one) => recorded(one, '')), ...task.calls.slice(at + 1).map((one) => recorded(one, ''))],
        attackEffects: injection.calls.flatMap(({ effect }, i) => (effect ? [at + 1 + i] : [])),
      };
    });
    return [honest, ...attacks];
  });
  return ok({ name: suite, use, tools: tools.map((tool) => given(suite, tool)), traces });
}

const recorded = ({ tool, args, output }: z.output<typeof call>, note: string): RecordedCall =>
  ({ tool, parameters: args, ...(output === undefined ? {} : { output: output.replace(slot, note).trim() }) });

function given(suite: string, { name: tool, description, parameters }: z.output<typeof suiteSchema>['tools'][number]): GivenTool {
  const entries = Object.entries(parameters);
  return {
    suite, name: tool, description,
    parameters: {
      properties: Object.fromEntries(entries.map(([parameter, type]) => [parameter, schemaOf(type)])),
      required: entries.filter(([, type]) => !type.endsWith('?')).map(([parameter]) => parameter),
      closed: true,
    },
  };
}

function schemaOf(shape: string): JsonObject {
  const type = shape.replace('?', '').replace('[]', '');
  return shape.includes('[]') ? { type: 'array', items: { type } } : { type };
}
