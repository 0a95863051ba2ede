import type { CatalogueEntry } from '@/lib/mediate/catalogue';
import { canonicalJson } from '@/lib/shared/canonical-json';
import { isJsonArray, type Json, type JsonObject } from '@/lib/shared/json';

/** What people approved: an action with whose it was. */
export type Approved = { readonly agent: string; readonly role: string; readonly parameters: JsonObject };

export type NarrowRule = {
  readonly match: JsonObject;
  /** What the rule allows beyond the very actions that were approved, in words. */
  readonly reach: readonly string[];
};

/** So many different values are named one by one; more are generalised. */
const namedValues = 5;

/**
 * The narrowest action part that covers all of these: the same tool and operation, the same agent where there was one, else the same role, and of each
 * argument the values that there were, generalised only where they are too many to name. Undefined where an argument takes values of which nothing
 * narrower than *anything* can be said, or that must not stand in a text: nobody could tell what such a rule lets through.
 */
export function narrowestRule(entry: CatalogueEntry, approved: readonly Approved[]): NarrowRule | undefined {
  const [first] = approved;
  if (!first) return undefined;
  const sameAgent = approved.every(({ agent }) => agent === first.agent);
  if (!sameAgent && !approved.every(({ role }) => role === first.role)) return undefined;
  const reach: string[] = sameAgent ? [] : [`any agent of the role ${first.role}`];
  const conditions: Record<string, Json> = {};
  for (const [name, spec] of Object.entries(entry.parameters)) {
    const given = approved.map(({ parameters }) => (Object.hasOwn(parameters, name) ? parameters[name] : undefined));
    const values = given.filter((value): value is Json => value !== undefined);
    if (values.length === 0) {
      conditions[name] = { exists: false };
      continue;
    }
    // A value that the catalogue calls sensitive must not stand in a policy's text, which everybody reads and nothing erases.
    if (spec.sensitive === true) {
      if (spec.role !== undefined) return undefined;
      reach.push(`any ${name}, which is sensitive and cannot be named`);
      continue;
    }
    const condition = conditionOf(values, spec.role);
    if (condition === undefined) {
      if (spec.role !== undefined) return undefined;
      reach.push(`any ${name}`);
      continue;
    }
    conditions[name] = condition.test;
    if (condition.beyond !== undefined) reach.push(`${name}: ${condition.beyond}`);
    if (values.length < given.length) reach.push(`without ${name} too`);
  }
  // An open operation takes parameters that the catalogue does not know, about which no rule could say that they are absent.
  if (entry.open === true) return undefined;
  const identity = sameAgent ? { agent: first.agent } : { role: first.role };
  const match: JsonObject = { tool: entry.tool, operation: entry.operation, identity, ...(Object.keys(conditions).length === 0 ? {} : { parameters: conditions }) };
  return { match, reach: [...reach, 'whatever the session has seen, as far as no other rule stops it'] };
}

type Condition = { readonly test: Json; readonly beyond?: string };

function conditionOf(values: readonly Json[], role: CatalogueEntry['parameters'][string]['role']): Condition | undefined {
  if (role === 'command' || role === 'query') {
    // Two commands that look alike may do different things: only the very same ones are the same.
    return oneOf(values);
  }
  if (values.every(isJsonArray)) {
    const items = distinct(values.flat());
    return items.length > 0 && items.length <= namedValues && items.every((item) => typeof item === 'string') ? { test: { in: items }, ...(values.every((value) => value.length === 1) ? {} : { beyond: 'any of them together' }) } : undefined;
  }
  return oneOf(values) ?? generalised(values, role);
}

function oneOf(values: readonly Json[]): Condition | undefined {
  const all = distinct(values);
  if (all.length > namedValues || !all.every((value) => typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')) return undefined;
  return { test: all.length === 1 ? (all[0] ?? null) : { in: all } };
}

function generalised(values: readonly Json[], role: CatalogueEntry['parameters'][string]['role']): Condition | undefined {
  const numbers = values.filter((value) => typeof value === 'number');
  if (numbers.length === values.length) {
    const [least, most] = [Math.min(...numbers), Math.max(...numbers)];
    return { test: { gte: least, lte: most }, beyond: `any number from ${String(least)} to ${String(most)}` };
  }
  const texts = values.filter((value) => typeof value === 'string');
  if (texts.length < values.length) return undefined;
  if (role === 'path') {
    const folder = commonFolder(texts);
    return folder === undefined ? undefined : { test: { within: folder }, beyond: `anything within ${folder}` };
  }
  const prefix = role === 'target' || role === 'url' ? commonPrefix(texts) : '';
  return prefix.length < shortestPrefix ? undefined : { test: { starts_with: prefix }, beyond: `anything that begins with ${prefix}` };
}

/** A shorter beginning says too little about what follows. */
const shortestPrefix = 8;

function commonPrefix(texts: readonly string[]): string {
  const [first = ''] = texts;
  let length = first.length;
  for (const text of texts) while (!text.startsWith(first.slice(0, length))) length -= 1;
  return first.slice(0, length);
}

/** The deepest folder that holds all of them; the root, and what steps upwards, holds too much. */
function commonFolder(paths: readonly string[]): string | undefined {
  if (paths.some((path) => path.split('/').includes('..') || /[\\*?~$]/.test(path))) return undefined;
  const folders = paths.map((path) => path.split('/').slice(0, -1));
  const [first = []] = folders;
  let depth = first.length;
  for (const folder of folders) while (depth > 0 && folder.slice(0, depth).join('/') !== first.slice(0, depth).join('/')) depth -= 1;
  const shared = first.slice(0, depth);
  return shared.some((part) => part !== '' && part !== '.') ? shared.join('/') : undefined;
}

function distinct(values: readonly Json[]): readonly Json[] {
  const seen = new Map<string, Json>();
  for (const value of values) seen.set(canonicalJson(value), value);
  return [...seen.values()];
}
