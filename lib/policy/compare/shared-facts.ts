import type { ActionFacts } from '@/lib/mediate/action';
import type { CatalogueEntry, ParameterRole } from '@/lib/mediate/catalogue';
import { isJsonArray, type Json } from '@/lib/shared/json';

/** Roles whose arguments give facts of a role. */
const givenBy: Readonly<Partial<Record<ParameterRole, readonly ParameterRole[]>>> = { recipients: ['recipients'], path: ['path', 'command'], url: ['url', 'command'], command: ['command'], query: ['query'] };

/** Other arguments that a rule on this one may see. */
export function argumentsSeenWith(name: string, { parameters }: CatalogueEntry): readonly string[] {
  const role = Object.hasOwn(parameters, name) ? parameters[name]?.role : undefined;
  const roles = role === undefined ? undefined : givenBy[role];
  return Object.entries(parameters).flatMap(([other, spec]) => (other !== name && spec.role !== undefined && roles?.includes(spec.role) === true ? [other] : []));
}

/** Those that it does see: where values are read otherwise than they are written, every fact of their role stands for them (see `readParameter`). */
export function seenWith(name: string, entry: CatalogueEntry, value: Json | undefined, facts: ActionFacts): readonly string[] {
  const role = Object.hasOwn(entry.parameters, name) ? entry.parameters[name]?.role : undefined;
  return role === undefined || value === undefined || isAsWritten(role, value, facts) ? [] : argumentsSeenWith(name, entry);
}

function isAsWritten(role: ParameterRole, value: Json, { recipients, paths, urls }: ActionFacts): boolean {
  const known = new Set(role === 'recipients' ? recipients : role === 'path' ? paths : role === 'url' ? urls.map(({ href }) => href) : []);
  const texts = (isJsonArray(value) ? value : [value]).filter((part) => typeof part === 'string');
  return texts.length > 0 && texts.every((text) => known.has(text) || known.has(text.trim().toLowerCase()));
}
