import { isJsonArray, isJsonObject, type Json, type JsonObject } from '@/lib/shared/json';
import { parseStrictJson } from '@/lib/shared/strict-json';

import type { Path } from '../diagnostics';
import { policyJsonSchema } from '../policy-json-schema';

/** A part of the published schema, references followed. */
export type Schema = JsonObject;

const isSchema = (value: Json | undefined): value is Schema => isJsonObject(value);

/** The published schema, as an editor walks it. */
export function policySchema(): Schema {
  const schema = parseStrictJson(JSON.stringify(policyJsonSchema()), { depth: 64, nodes: 100_000, length: 1_000_000 });
  if (!schema.ok || !isSchema(schema.value)) throw new Error('The schema of policies is no object.');
  return schema.value;
}

/** Every schema that a value at the path may fit, choices (`anyOf`) taken apart. Empty where nothing may stand. */
export function schemasAt(root: Schema, path: Path): readonly Schema[] {
  return path.reduce<readonly Schema[]>((here, part) => schemasBelow(root, here, part), choices(root, root));
}

/** What may stand behind a key, or as an item, of values that fit the schemas. */
export const schemasBelow = (root: Schema, schemas: readonly Schema[], part: string | number): readonly Schema[] => schemas.flatMap((schema) => below(root, schema, part));

function below(root: Schema, schema: Schema, part: string | number): readonly Schema[] {
  if (typeof part === 'number') return isSchema(schema['items']) ? choices(root, schema['items']) : [];
  const named = propertiesOf(schema)[part];
  if (isSchema(named)) return choices(root, named);
  return isSchema(schema['additionalProperties']) ? choices(root, schema['additionalProperties']) : [];
}

export function propertiesOf(schema: Schema): Readonly<Record<string, Json>> {
  const properties = schema['properties'];
  return isSchema(properties) ? properties : {};
}

/** A schema, or its choices; what is said beside a reference stays said. */
function choices(root: Schema, schema: Schema, depth = 0): readonly Schema[] {
  if (depth > 16) return [];
  const reference = schema['$ref'];
  if (typeof reference === 'string') {
    const { $ref: _gone, ...beside } = schema;
    const target = resolve(root, reference);
    return target ? choices(root, { ...target, ...beside }, depth + 1) : [];
  }
  const any = schema['anyOf'];
  if (!isJsonArray(any)) return [schema];
  const description = schema['description'];
  return any.flatMap((one) => (isSchema(one) ? choices(root, description === undefined ? one : { description, ...one }, depth + 1) : []));
}

function resolve(root: Schema, reference: string): Schema | undefined {
  let here: Json = root;
  for (const part of reference.replace(/^#\/?/, '').split('/').filter((text) => text !== '')) here = isSchema(here) ? (here[part] ?? null) : null;
  return isSchema(here) ? here : undefined;
}

export function descriptionOf(schemas: readonly Schema[]): string | null {
  for (const { description } of schemas) if (typeof description === 'string') return description;
  return null;
}

/** Words that the schemas list, with `true` and `false` where a truth value stands. */
export function wordsOf(schemas: readonly Schema[]): readonly string[] {
  const words = schemas.flatMap((schema): readonly Json[] => {
    const { enum: listed, const: only, examples, type } = schema;
    return [...(isJsonArray(listed) ? listed : []), ...(only === undefined ? [] : [only]), ...(isJsonArray(examples) ? examples : []), ...(type === 'boolean' ? ['true', 'false'] : [])];
  });
  return [...new Set(words.flatMap((word) => (typeof word === 'string' ? [word] : [])))];
}

export const isScalar = ({ type, enum: listed, const: only }: Schema): boolean => listed !== undefined || only !== undefined || type === 'string' || type === 'number' || type === 'integer' || type === 'boolean';
