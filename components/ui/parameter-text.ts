import { isJsonArray, isJsonObject, type Json, type JsonObject } from '@/lib/shared/json';

const indent = '  ';

/**
 * Parameters of an action as lines to read and to compare: one a line, nested ones indented, keys in code unit order, so that `a` and `a′`
 * line up. A string of several lines keeps them, under a bar; every other one is quoted, so that its blanks can be seen. Nothing is left out.
 */
export function parameterText(parameters: JsonObject): string {
  return objectLines(parameters, '').join('\n');
}

function objectLines(value: JsonObject, margin: string): readonly string[] {
  const keys = Object.keys(value).sort((left, right) => (left < right ? -1 : 1));
  return keys.flatMap((key) => entryLines(`${margin}${plainKey(key)}:`, value[key] ?? null, margin));
}

function entryLines(label: string, value: Json, margin: string): readonly string[] {
  if (typeof value === 'string' && value.includes('\n')) return [`${label} |`, ...value.split('\n').map((line) => `${margin}${indent}${line}`)];
  if (isJsonArray(value) && value.length > 0) return [label, ...value.flatMap((item) => entryLines(`${margin}${indent}-`, item, `${margin}${indent}`))];
  if (isJsonObject(value) && Object.keys(value).length > 0) return [label, ...objectLines(value, `${margin}${indent}`)];
  return [`${label} ${JSON.stringify(value)}`];
}

/** Quoted unless it is a plain name: a key must not be able to look like another line. */
function plainKey(key: string): string {
  return /^[A-Za-z_][\w.-]*$/.test(key) ? key : JSON.stringify(key);
}
