import type { z } from 'zod';

import { idPrefixes, type IdKind } from '@/lib/shared/ids';

import { testPasskey } from './passkey';

/** A schema as the field tables write it; shapes that have a name of their own are written by it. */
export type Named = ReadonlyMap<z.core.$ZodType, string>;

const indent = '  ';

/** The fields of an object, one a line: `name  type`, with `?` behind a name that may be left out. */
export function describeFields(schema: z.core.$ZodType, named: Named, depth = 0): string {
  const { shape } = (schema as z.ZodObject)._zod.def;
  const fields = Object.entries(shape).map(([name, field]) => {
    const optional = field._zod.def.type === 'optional';
    const inner = optional ? (field as z.ZodOptional)._zod.def.innerType : field;
    return [`${name}${optional ? '?' : ''}`, describe(inner, named, depth)] as const;
  });
  const width = Math.max(...fields.map(([name]) => name.length));
  return fields.map(([name, type]) => `${indent.repeat(depth)}${name.padEnd(width)}  ${type}`).join('\n');
}

/** A small object on one line; undefined when it would not fit. */
function inline(schema: z.core.$ZodType, named: Named): string | undefined {
  const text = `{ ${describeFields(schema, named).split('\n').map((line) => line.trim().replace(/^(\S+)\s+/, '$1: ')).join(', ')} }`;
  return text.length <= longestLine && !text.includes('{', 1) ? text : undefined;
}

const longestLine = 120;

/** The type of one value. Throws on a schema that the tables have no words for: a new one needs its words first. */
export function describe(schema: z.core.$ZodType, named: Named, depth = 0): string {
  const name = named.get(schema);
  if (name !== undefined) return name;
  const { def } = schema._zod;
  switch (def.type) {
    case 'object':
      return inline(schema, named) ?? `{\n${describeFields(schema, named, depth + 1)}\n${indent.repeat(depth)}}`;
    case 'array':
      return `[ ${describe((schema as z.ZodArray)._zod.def.element, named, depth)} ]${lengths(schema)}`;
    case 'pipe':
      return describe((schema as z.ZodPipe)._zod.def.in, named, depth);
    case 'nullable':
      return `${describe((schema as z.ZodNullable)._zod.def.innerType, named, depth)} | null`;
    case 'enum':
      return Object.values((schema as z.ZodEnum)._zod.def.entries).map((value) => JSON.stringify(value)).join(' | ');
    case 'literal':
      return (schema as z.ZodLiteral)._zod.def.values.map((value) => JSON.stringify(value)).join(' | ');
    case 'string':
      return `text${lengths(schema)}`;
    case 'number':
      return `int${range(schema)}`;
    case 'boolean':
      return 'bool';
    case 'custom':
      return customName(schema);
    default:
      throw new Error(`The field tables have no words for ${def.type}.`);
  }
}

/** What a check that only a function knows accepts is found out by trying. */
export function customName(schema: z.core.$ZodType): string {
  const accepts = (value: unknown): boolean => (schema as z.ZodType).safeParse(value).success;
  if (accepts({})) return 'json';
  for (const kind of Object.keys(idPrefixes) as IdKind[]) if (accepts(`${idPrefixes[kind]}_${'0'.repeat(20)}`)) return `id(${idPrefixes[kind]}_)`;
  if (accepts('a'.repeat(64))) return 'digest';
  if (accepts('2030-01-01T00:00:00.000Z')) return 'time';
  if (accepts('allowed') && !accepts('no such code')) return 'code';
  if (accepts({ payload: '', payloadType: 'x', signatures: [{ keyid: 'x', sig: `${'A'.repeat(86)}==` }] })) return 'envelope';
  if (accepts(testPasskey('any').entry.public_key)) return 'base64(public key, section 2)';
  if (accepts(`${'A'.repeat(22)}==`)) return 'base64(16 bytes)';
  throw new Error('The field tables have no words for one of the custom checks.');
}

function lengths(schema: z.core.$ZodType): string {
  const { minimum = 0, maximum } = bounds(schema);
  return maximum === undefined && minimum === 0 ? '' : `(${String(minimum)}..${maximum === undefined ? '' : String(maximum)})`;
}

function range(schema: z.core.$ZodType): string {
  const { minimum, maximum } = bounds(schema);
  return minimum === undefined && maximum === undefined ? '' : `(${minimum === undefined ? '' : String(minimum)}..${maximum === undefined ? '' : String(maximum)})`;
}

function bounds(schema: z.core.$ZodType): { readonly minimum?: number; readonly maximum?: number } {
  let found: { minimum?: number; maximum?: number } = {};
  for (const { _zod } of schema._zod.def.checks ?? []) {
    const { check, minimum, maximum, value } = _zod.def as { check: string; minimum?: number; maximum?: number; value?: number };
    if (check === 'min_length') found = { ...found, ...(minimum === undefined ? {} : { minimum }) };
    if (check === 'max_length') found = { ...found, ...(maximum === undefined ? {} : { maximum }) };
    if (check === 'greater_than') found = { ...found, ...(value === undefined ? {} : { minimum: value }) };
    if (check === 'less_than') found = { ...found, ...(value === undefined ? {} : { maximum: value }) };
  }
  return found;
}
