import { isJsonObject, type Json, type JsonObject } from '@/lib/shared/json';
import { fail, ok, type Result } from '@/lib/shared/result';

import type { CanonicalAction } from './action';
import type { Catalogue, CatalogueEntry } from './catalogue';
import { checkParameters } from './check-parameters';
import { deriveFacts } from './facts';
import { nearestNames } from './nearest-names';

/** What an agent asks for, parsed but not yet understood. */
export type ProposedAction = { readonly tool: string; readonly operation: string; readonly parameters: JsonObject };

/**
 * The one canonical action that a proposal means. Errors: `unknown_tool` (with the nearest names), `invalid_parameters`
 * (every misfit with its path). An action is never guessed: a name that is not exactly known is refused.
 */
export function mediate(proposed: ProposedAction, catalogue: Catalogue): Result<CanonicalAction> {
  const direct = unwrapMetaTool(proposed, catalogue);
  if (!direct.ok) return direct;
  const { parameters } = direct.value;
  const tool = resolved(direct.value.tool, catalogue);
  const operation = direct.value.operation.normalize('NFC');
  const entry = entryOf(catalogue, tool, operation);
  if (!entry) return unknownTool(`${tool}.${operation}`, catalogue);
  const issues = checkParameters(entry, parameters);
  if (issues.length > 0) {
    const first = issues[0];
    return fail('invalid_parameters', `The parameters do not fit ${tool}.${operation}: ${first?.message ?? ''}`, {
      issues,
      ...(first?.fix === undefined ? {} : { fix: first.fix }),
    });
  }
  return ok({ tool, operation, parameters, entry, facts: deriveFacts(entry, parameters) });
}

function resolved(tool: string, catalogue: Catalogue): string {
  const name = tool.normalize('NFC');
  return catalogue.aliases.get(name) ?? name;
}

/** The key alone does not tell `a.b` + `c` from `a` + `b.c`; the entry does. */
function entryOf(catalogue: Catalogue, tool: string, operation: string): CatalogueEntry | undefined {
  const entry = catalogue.entries.get(`${tool}.${operation}`);
  return entry?.tool === tool && entry.operation === operation ? entry : undefined;
}

function unknownTool(name: string, catalogue: Catalogue): ReturnType<typeof fail> {
  const near = nearestNames(name, catalogue.entries.keys());
  return fail('unknown_tool', `The catalogue ${catalogue.name}@${String(catalogue.version)} knows no ${JSON.stringify(name.slice(0, 100))}.`, {
    ...(near.length === 0 ? {} : { fix: `Did you mean ${near.join(', ')}?` }),
  });
}

const metaTools = new Set(['tool', 'tools', 'mcp', 'functions']);
const metaOperations = new Set(['call', 'invoke', 'run', 'use', 'call_tool']);
const deepestNesting = 3;

/**
 * "Call tool X with these arguments" becomes X: a rule about X must see it however it is wrapped. A wrapper that the
 * catalogue lists as a tool of its own is that tool.
 */
function unwrapMetaTool(proposed: ProposedAction, catalogue: Catalogue): Result<ProposedAction> {
  let current = proposed;
  for (let level = 0; level < deepestNesting; level++) {
    if (!metaTools.has(current.tool) || !metaOperations.has(current.operation) || entryOf(catalogue, current.tool, current.operation)) return ok(current);
    const inner = innerCall(current.parameters);
    if (!inner) {
      return fail('invalid_parameters', 'A call of a tool through a tool needs a name and arguments.', {
        fix: 'Propose the tool itself: its tool, operation and parameters.',
      });
    }
    current = inner;
  }
  return fail('invalid_parameters', 'The call is wrapped too often.', { fix: 'Propose the tool itself.' });
}

function innerCall(parameters: JsonObject): ProposedAction | undefined {
  const { name, tool, operation, arguments: inputs, parameters: more, ...rest } = parameters;
  const named = name ?? tool;
  const values: Json | undefined = inputs ?? more ?? {};
  if (typeof named !== 'string' || !isJsonObject(values) || Object.keys(rest).length > 0) return undefined;
  if ((name !== undefined && tool !== undefined) || (inputs !== undefined && more !== undefined)) return undefined;
  if (typeof operation === 'string') return { tool: named, operation, parameters: values };
  const dot = named.lastIndexOf('.');
  return operation === undefined && dot > 0 ? { tool: named.slice(0, dot), operation: named.slice(dot + 1), parameters: values } : undefined;
}
