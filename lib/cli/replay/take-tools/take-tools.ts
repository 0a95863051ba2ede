import { toolNameFault } from '@/lib/mediate/tool-name';
import type { ToolExtension } from '@/lib/mediate/extend';

import type { GivenTool } from './given-tool';
import { inferDeed } from './infer-deed';
import { inferParameter, isReference } from './infer-parameter';

export type TakenTools = {
  /** Entries for a policy's `tools:`, by suite and name. */
  readonly entries: readonly ToolExtension[];
  /** What could not be taken, in words. */
  readonly left: readonly string[];
};

type Aliases = ReadonlyMap<string, string>;
const none: Aliases = new Map();

/**
 * Tools that nobody has looked at yet, at careful defaults: allowed as far as the rules go, what they answer is untrusted, and effect,
 * impact and the roles of parameters are read from names and schemas, towards strictness where these say little. A tool without a suite is
 * taken for each of `suites`, under the name that `aliases` give it. Names in `known` are left as they are.
 */
export function takeTools(given: readonly GivenTool[], suites: readonly string[], known: ReadonlySet<string>, aliases: Aliases = none): TakenTools {
  const entries = new Map<string, ToolExtension>();
  const left: string[] = [];
  for (const tool of given) {
    for (const named of tool.suite === null ? suites : [tool.suite]) {
      const suite = aliases.get(named) ?? named;
      const key = `${suite}.${tool.name}`;
      const fault = toolNameFault(suite) ?? toolNameFault(tool.name) ?? (tool.name.includes('.') ? 'It has a dot.' : undefined);
      if (fault !== undefined) left.push(`${key}: ${fault}`);
      else if (!known.has(key) && !entries.has(key)) entries.set(key, taken(key, tool));
    }
  }
  return { entries: [...entries.values()], left };
}

/** Parameters that name who gets something, as `suite.tool.parameter`. */
export const recipientsOf = (entries: readonly ToolExtension[]): ReadonlySet<string> =>
  new Set(entries.flatMap(({ name, parameters }) => Object.entries(parameters ?? {}).flatMap(([parameter, { role }]) => (role === 'recipients' ? [`${name}.${parameter}`] : []))));

function taken(key: string, tool: GivenTool): ToolExtension {
  const { effect, impact } = inferDeed(tool);
  const { parameters } = tool;
  const specs = Object.entries(parameters?.properties ?? {}).map(([name, schema]) => [name, inferParameter(name, schema, parameters?.required.includes(name) === true, effect)] as const);
  const roles = new Set(specs.map(([, { role }]) => role));
  // Where payee and sum are named, they decide; which of the own orders it is, matters less.
  const isOrder = effect === 'spend' && roles.has('amount') && roles.has('recipients');
  return {
    name: key, effect, impact, decision: 'ALLOW',
    ...(isClock(tool) || makesThings(tool, effect) ? { trusted: true } : {}),
    ...(parameters?.closed === true ? {} : { open: true }),
    parameters: Object.fromEntries(specs.map(([name, { role, ...spec }]) => [name, role === undefined || (isOrder && role === 'target' && isReference(name)) ? spec : { ...spec, role }])),
  };
}

/** Nobody writes into what the clock says. */
const isClock = ({ name, parameters }: GivenTool): boolean =>
  /^(?:get_?)?(?:current_?)?(?:day|date|time|datetime|date_?time|timezone)$/i.test(name) && Object.keys(parameters?.properties ?? {}).length === 0;

/** Making something shows its new id and what the session wrote itself, which no output raises. */
const makesThings = ({ name }: GivenTool, effect: ToolExtension['effect']): boolean => effect === 'write' && /^(?:create|make|new|draft)_/i.test(name);
