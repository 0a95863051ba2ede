import { z } from 'zod';

import { readJsonLines } from '@/lib/cli/replay/read-json-lines';
import { bounds } from '@/lib/shared/bounds';
import { ok, type Result } from '@/lib/shared/result';

import type { GivenTool } from './given-tool';

const name = z.string().min(1).max(bounds.nameLength);
const prose = z.string().max(bounds.requestText);
const property = z.record(z.string(), z.json());

const schema = z.object({
  properties: z.record(z.string(), z.union([property, z.boolean().transform(() => ({}))])).optional(),
  required: z.array(z.string()).optional(),
  additionalProperties: z.union([z.boolean(), z.looseObject({})]).optional(),
});

/** The ways in which tools are described to agents: rows of agentdojo-tools.jsonl, of MCP, and of the large model APIs. */
const flat = z.object({
  suite: name.nullish(), domain: name.nullish(), server: name.nullish(),
  name, description: prose.nullish(),
  parameters: schema.nullish(), inputSchema: schema.nullish(), input_schema: schema.nullish(),
});
const nested = z.object({ suite: name.nullish(), domain: name.nullish(), server: name.nullish(), function: flat });

const row = z.unknown().transform((value, context): GivenTool => {
  const isNested = typeof value === 'object' && value !== null && 'function' in value;
  const parsed = isNested ? nested.transform(({ function: inner, ...outer }) => ({ ...inner, ...outer })).safeParse(value) : flat.safeParse(value);
  if (parsed.success) return given(parsed.data);
  for (const { path, message } of parsed.error.issues) context.addIssue({ code: 'custom', path: [...path], message });
  return z.NEVER;
});

function given(read: z.output<typeof flat>): GivenTool {
  const said = read.parameters ?? read.inputSchema ?? read.input_schema ?? null;
  return {
    suite: read.suite ?? read.domain ?? read.server ?? null,
    name: read.name,
    description: read.description ?? '',
    parameters: said === null ? null : { properties: said.properties ?? {}, required: said.required ?? [], closed: said.additionalProperties === undefined || said.additionalProperties === false },
  };
}

/** Descriptions of tools, one a line. Further fields are not read. Failures as of `readJsonLines`. */
export function parseTools(text: string): Result<readonly GivenTool[]> {
  const rows = readJsonLines(text, row);
  return rows.ok ? ok(rows.value) : rows;
}
