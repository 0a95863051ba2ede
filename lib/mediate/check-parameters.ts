import { bounds } from '@/lib/shared/bounds';
import { isJsonArray, isJsonObject, type Json, type JsonObject } from '@/lib/shared/json';
import type { Issue } from '@/lib/shared/result';

import type { CatalogueEntry, ParameterSpec, ParameterType } from './catalogue';
import { nearestNames } from './nearest-names';

/**
 * Everything in the parameters that does not fit the entry's schema. Nothing is converted: the text "5000" is not the
 * number 5000, because the rule that compares it and the tool that runs it might read it differently.
 */
export function checkParameters(entry: CatalogueEntry, parameters: JsonObject): readonly Issue[] {
  const issues: Issue[] = [];
  for (const name of Object.keys(parameters)) {
    const path = `parameters.${name}`;
    const value: Json = parameters[name] ?? null;
    if (!Object.hasOwn(entry.parameters, name)) {
      if (entry.open !== true) issues.push(unknown(path, name, entry));
      continue;
    }
    const spec = entry.parameters[name];
    if (!spec || (value === null && spec.nullable === true)) continue;
    const wrong = misfit(spec, value);
    if (wrong) issues.push({ path, ...wrong });
  }
  for (const [name, spec] of Object.entries(entry.parameters)) {
    if (spec.optional !== true && !Object.hasOwn(parameters, name)) {
      issues.push({ path: `parameters.${name}`, message: `${name} is missing.`, fix: `Add ${name} (${spec.type}).` });
    }
  }
  return issues;
}

function unknown(path: string, name: string, entry: CatalogueEntry): Issue {
  const near = nearestNames(name, Object.keys(entry.parameters))[0];
  return {
    path,
    message: `${entry.tool}.${entry.operation} has no parameter ${JSON.stringify(name)}.`,
    fix: near === undefined ? `It takes: ${Object.keys(entry.parameters).join(', ') || 'none'}.` : `Did you mean ${near}?`,
  };
}

function misfit(spec: ParameterSpec, value: Json): { readonly message: string; readonly fix?: string } | undefined {
  if (spec.type === 'array' && !isJsonArray(value)) {
    if (spec.scalar_or_array === true && isOfType(spec.items ?? 'any', value) && !isJsonObject(value)) return tooLong(value);
    return mismatch('array', value);
  }
  if (!isOfType(spec.type, value)) return mismatch(spec.type, value);
  if (isJsonArray(value) && spec.items) {
    for (const item of value) if (!isOfType(spec.items, item)) return mismatch(`array of ${spec.items}`, item);
  }
  return tooLong(value);
}

function isOfType(type: ParameterType, value: Json): boolean {
  switch (type) {
    case 'string':
    case 'number':
    case 'boolean':
      return typeof value === type;
    case 'integer':
      return Number.isSafeInteger(value);
    case 'array':
      return isJsonArray(value);
    case 'object':
      return isJsonObject(value);
    case 'any':
      return value !== null;
  }
}

function mismatch(wanted: string, value: Json): { readonly message: string; readonly fix?: string } {
  const numeric = typeof value === 'string' && /^-?[0-9]+(\.[0-9]+)?$/.test(value) && (wanted === 'number' || wanted === 'integer');
  return {
    message: `Wanted ${wanted}, got ${nameOf(value)}.`,
    ...(numeric ? { fix: `Send ${value.slice(0, 20)} without quotes.` } : {}),
  };
}

const tooLong = (value: Json): { readonly message: string } | undefined =>
  typeof value === 'string' && value.length > bounds.stringLength ? { message: `The text is over ${String(bounds.stringLength)} long.` } : undefined;

const nameOf = (value: Json): string => (value === null ? 'null' : isJsonArray(value) ? 'array' : typeof value);
