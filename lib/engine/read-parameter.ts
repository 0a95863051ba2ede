import type { CanonicalAction } from '@/lib/mediate/action';
import type { ParameterRole } from '@/lib/mediate/catalogue';
import { assertNever } from '@/lib/shared/assert-never';
import { isJsonArray, isJsonObject, type Json } from '@/lib/shared/json';

import { absent, one, several, unknown, type Reading } from './reading';

/**
 * A parameter as rules see it: typed by its role, so that a rule on a command sees every program that would run, one on a
 * path the resolved path, one on a query its tables, one on recipients their addresses.
 */
export function readParameter(action: CanonicalAction, path: readonly string[]): Reading {
  const [name = '', ...rest] = path;
  const { parameters, facts } = action;
  if (!Object.hasOwn(parameters, name)) return absent;
  const role = Object.hasOwn(action.entry.parameters, name) ? action.entry.parameters[name]?.role : undefined;
  const value = parameters[name] ?? null;
  const values = rest.length > 0 ? null : factsOf(action, role, value);
  // What was understood of it is kept: a rule that forbids sees the `rm` in a command whose rest nobody could parse.
  if (facts.opaque.includes(name)) return unknown(`parameters.${name}`, { opaque: true }, values ?? []);
  if (rest.length > 0) return readNested(value, rest);
  if (values) return several(values);
  return isJsonArray(value) ? several(value) : one(value);
}

function factsOf({ facts }: CanonicalAction, role: ParameterRole | undefined, value: Json): readonly string[] | null {
  switch (role) {
    case 'recipients':
      return ownPart(value, facts.recipients);
    case 'path':
      return ownPart(value, facts.paths);
    case 'url':
      return ownPart(value, facts.urls.map((url) => url.href));
    case 'command':
      return facts.programs.map(programLine);
    case 'query':
      return facts.tables;
    case 'target':
    case 'amount':
    case undefined:
      return null;
    default:
      return assertNever(role);
  }
}

/** A program with its arguments as one line; words are separated by single spaces. */
export const programLine = (program: { readonly name: string; readonly arguments: readonly string[] }): string =>
  [program.name, ...program.arguments].join(' ');

/**
 * The facts that stem from this parameter. When its raw values are not literally among the facts (they were normalised, or
 * come wrapped), all facts of the role stand for it: a superset makes a rule that allows harder and any other one easier.
 */
function ownPart(value: Json, facts: readonly string[]): readonly string[] {
  const raw = (isJsonArray(value) ? value : [value]).filter((part) => typeof part === 'string');
  const known = new Set(facts);
  const own = raw.map((text) => (known.has(text) ? text : text.trim().toLowerCase()));
  return own.length > 0 && own.every((text) => known.has(text)) ? own : facts;
}

function readNested(value: Json, path: readonly string[]): Reading {
  let values: readonly Json[] = [value];
  let fanned = false;
  for (const name of path) {
    const next: Json[] = [];
    for (const part of values) {
      fanned ||= isJsonArray(part);
      for (const element of isJsonArray(part) ? part : [part]) {
        if (isJsonObject(element) && Object.hasOwn(element, name)) next.push(element[name] ?? null);
      }
    }
    values = next;
  }
  if (values.length === 0) return absent;
  const [only] = values;
  if (!fanned && values.length === 1 && only !== undefined) return isJsonArray(only) ? several(only) : one(only);
  return several(values.flatMap((part) => (isJsonArray(part) ? [...part] : [part])));
}
