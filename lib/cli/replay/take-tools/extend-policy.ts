import type { ToolExtension } from '@/lib/mediate/extend';
import { readText, type PolicyFormat } from '@/lib/policy/read-text';
import { isJsonArray, isJsonObject, type Json, type JsonObject } from '@/lib/shared/json';
import { fail, ok, type Result } from '@/lib/shared/result';

const mostNames = 100;

/**
 * The policy with further tools, and with the general rules held against those tools alone, as JSON text: what an owner would read, mend
 * and sign. Rules keep their ids behind the general policy's. Failures: `policy_invalid`, when one of the two texts is no document.
 */
export function extendPolicy(
  base: { readonly text: string; readonly format: PolicyFormat },
  general: { readonly text: string; readonly format: PolicyFormat },
  entries: readonly ToolExtension[],
): Result<string> {
  const [whole, rest] = [documentOf(base), documentOf(general)];
  if (!whole || !rest) return fail('policy_invalid', 'The policy cannot be read.');
  const known = new Set([...statedTools(base)].map(toolOf));
  const scopes = scopesOf(entries, known);
  const rules = listOf(rest.rules).filter(isJsonObject).flatMap((rule) => scopes.map((scope, at) => within(rule, `${text(rest.id)}.${text(rule.id)}${at === 0 ? '' : `.${String(at + 1)}`}`, scope)));
  return ok(JSON.stringify({
    ...whole,
    information: { ...objectOf(rest.information), ...objectOf(whole.information) },
    tools: [...listOf(whole.tools), ...entries],
    rules: [...listOf(whole.rules), ...rules],
  }));
}

/** `tool.operation` of everything that the policy itself says something about; what only the stock catalogue has is not among it. */
export const statedTools = (policy: { readonly text: string; readonly format: PolicyFormat }): ReadonlySet<string> =>
  new Set(listOf(documentOf(policy)?.tools).flatMap((tool) => (isJsonObject(tool) && typeof tool.name === 'string' ? [tool.name] : [])));

type Scope = { readonly tool: readonly string[]; readonly operation?: readonly string[] };

/** New tools by their names; where the policy has operations of a tool already, the new ones by theirs. */
function scopesOf(entries: readonly ToolExtension[], known: ReadonlySet<string>): readonly Scope[] {
  const tools = [...new Set(entries.map(({ name }) => toolOf(name)))];
  const fresh = tools.filter((tool) => !known.has(tool));
  const partly = tools.filter((tool) => known.has(tool));
  const operationsOf = (tool: string): readonly string[] => entries.filter(({ name }) => toolOf(name) === tool).map(({ name }) => name.slice(tool.length + 1));
  return [...inChunks(fresh).map((tool) => ({ tool })), ...partly.flatMap((tool) => inChunks(operationsOf(tool)).map((operation) => ({ tool: [tool], operation })))];
}

const inChunks = (names: readonly string[]): readonly (readonly string[])[] =>
  Array.from({ length: Math.ceil(names.length / mostNames) }, (_, at) => names.slice(at * mostNames, (at + 1) * mostNames));

const within = (rule: JsonObject, id: string, scope: Scope): Json => ({ ...rule, id, match: { ...objectOf(rule.match), ...scope } });

function documentOf({ text: source, format }: { readonly text: string; readonly format: PolicyFormat }): JsonObject | null {
  const value = readText(source, format).read?.value;
  return value !== undefined && isJsonObject(value) ? value : null;
}

const toolOf = (name: string): string => name.slice(0, name.lastIndexOf('.'));
const listOf = (value: Json | undefined): readonly Json[] => (value !== undefined && isJsonArray(value) ? value : []);
const objectOf = (value: Json | undefined): JsonObject => (value !== undefined && isJsonObject(value) ? value : {});
const text = (value: Json | undefined): string => (typeof value === 'string' ? value : '');
