import { z } from 'zod';

import { jsonSchema, parametersSchema } from '@/lib/contracts/plane/common';
import { bounds } from '@/lib/shared/bounds';
import { ok, type Result } from '@/lib/shared/result';

import { readJsonLines } from './read-json-lines';
import type { RecordedTrace } from './recorded-trace';

const name = z.string().min(1).max(bounds.nameLength);
const prose = z.string().max(bounds.requestText);
/** Said of a trace for people who study it; nothing is decided by it. */
const remark = z.unknown().optional();

const call = z.object({
  tool: name,
  args: parametersSchema,
  output: jsonSchema.optional(),
  /** The tool failed and said so. */
  error: z.string().max(bounds.stringLength).nullish(),
  label: remark, output_has_injection: remark, arg_provenance: remark, requestor: remark,
});

const calls = z.array(z.looseObject(call.shape)).max(500);

/** AgentDojo's shape: a suite, a request, calls with outputs; attacks say which calls do the attacker's will. */
const suiteRow = z.object({
  id: name,
  suite: name,
  kind: z.enum(['benign', 'attack']).optional(),
  request: prose.min(1),
  calls,
  attack_effect_call_indexes: z.array(z.int().min(0)).max(500).optional(),
  attack_goal: remark, attack_calls_identical_to_user_calls: remark,
});

/** tau2's shape: a domain, what the customer wants and says of themselves, calls without outputs; honest by definition. */
const domainRow = z.object({
  id: name,
  domain: name,
  user_request: prose.min(1),
  known_info: prose.nullish(),
  calls,
  purpose: remark, task_instructions: remark, nl_assertions: remark, reward_basis: remark,
});

type Row = { readonly trace: RecordedTrace; readonly unread: readonly string[] };

const suite = z
  .looseObject(suiteRow.shape)
  .superRefine((row, context) => {
    const indexes = row.attack_effect_call_indexes ?? [];
    const fault = (message: string): void => { context.addIssue({ code: 'custom', path: ['attack_effect_call_indexes'], message }); };
    if (row.kind === 'attack' && indexes.length === 0) fault('An attack has to say which of its calls have effects.');
    if (row.kind !== 'attack' && indexes.length > 0) fault('Only a row of the kind "attack" has such calls.');
    if (indexes.some((at) => at >= row.calls.length)) fault('There is no call with this number.');
  })
  .transform((row): Row => {
    const { id, suite: of, kind, request, attack_effect_call_indexes: attackEffects } = row;
    return { trace: { id, suite: of, kind: kind ?? 'benign', request, calls: row.calls.map(recorded), attackEffects: attackEffects ?? [] }, unread: unread(row, suiteRow.shape) };
  });

const domain = z.looseObject(domainRow.shape).transform((row): Row => {
  const request = [row.user_request, row.known_info ?? ''].join('\n').trim();
  return { trace: { id: row.id, suite: row.domain, kind: 'benign', request, calls: row.calls.map(recorded), attackEffects: [] }, unread: unread(row, domainRow.shape) };
});

function recorded({ tool, args, output, error }: z.output<typeof call>): RecordedTrace['calls'][number] {
  return { tool, parameters: args, ...(output === undefined ? {} : { output }), ...(typeof error === 'string' ? { error } : {}) };
}

function unread(row: { readonly calls: readonly object[] }, shape: object): readonly string[] {
  const others = (value: object, known: object): readonly string[] => Object.keys(value).filter((key) => !Object.hasOwn(known, key));
  return [...others(row, shape), ...row.calls.flatMap((one) => others(one, call.shape).map((key) => `calls.${key}`))];
}

/** A row shows by its own fields which shape it has, so that a fault is named in the shape that was meant. */
const anyRow = z.unknown().transform((value, context): Row => {
  const parsed = (typeof value === 'object' && value !== null && 'domain' in value ? domain : suite).safeParse(value);
  if (parsed.success) return parsed.data;
  for (const { path, message } of parsed.error.issues) context.addIssue({ code: 'custom', path: [...path], message });
  return z.NEVER;
});

export type ReadTraces = {
  readonly traces: readonly RecordedTrace[];
  /** Fields that nobody here knows, each once: recordings grow fields, but a misspelt `kind` must not go unnoticed. */
  readonly unread: readonly string[];
};

/** Recorded traces, one a line, in either shape; a row without `kind` is honest. Failures as of `readJsonLines`. */
export function parseTraces(text: string): Result<ReadTraces> {
  const rows = readJsonLines(text, anyRow);
  if (!rows.ok) return rows;
  return ok({ traces: rows.value.map(({ trace }) => trace), unread: [...new Set(rows.value.flatMap((row) => row.unread))].sort() });
}
