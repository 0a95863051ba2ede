import { isDigest, isId, type Digest, type IdKind, type IdOf } from './ids';

/**
 * Checks of what was parsed from JSON, where it lies: nothing is copied and nothing allocated, because over a log of snapshots the copies that a schema
 * makes cost more than deciding on them. As strict as a schema, and told no more than yes or no: for what only our own programs write.
 */
export type Guard<T> = (value: unknown) => value is T;

type Guards<T> = { readonly [Name in keyof T]-?: Guard<Exclude<T[Name], undefined>> };
type Optional<T> = { [Name in keyof T]-?: object extends Pick<T, Name> ? Name : never }[keyof T];

/** Exactly these fields, of which some may be left out. */
export function shape<T extends object>(guards: Guards<T>, optional: readonly Optional<T>[] = []): Guard<T> {
  const known = new Map<string, Guard<unknown>>(Object.entries(guards));
  const required = known.size - optional.length;
  const spare = new Set<PropertyKey>(optional);
  return (value): value is T => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
    let found = 0;
    for (const name in value) {
      const guard = known.get(name);
      if (!guard?.((value as Readonly<Record<string, unknown>>)[name])) return false;
      if (!spare.has(name)) found += 1;
    }
    return found === required;
  };
}

/** At least these fields, of which some may be left out. */
export function having<T extends object>(guards: Guards<T>, optional: readonly Optional<T>[] = []): Guard<T> {
  const known = Object.entries<Guard<unknown>>(guards);
  const spare = new Set<PropertyKey>(optional);
  return (value): value is T => {
    if (typeof value !== 'object' || value === null) return false;
    for (const [name, guard] of known) {
      const one = (value as Readonly<Record<string, unknown>>)[name];
      if (one === undefined ? !spare.has(name) : !guard(one)) return false;
    }
    return true;
  };
}

/** Names of any kind, each with such a value. */
export const namesOf = <T>(guard: Guard<T>): Guard<Readonly<Record<string, T>>> => (value): value is Readonly<Record<string, T>> => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return Object.values(value).every((one) => guard(one));
};

export const listOf = <T>(guard: Guard<T>): Guard<readonly T[]> => (value): value is readonly T[] => {
  if (!Array.isArray(value)) return false;
  for (const one of value) if (!guard(one)) return false;
  return true;
};

export const oneOf = <T>(values: readonly T[]): Guard<T> => {
  const known = new Set<unknown>(values);
  return (value): value is T => known.has(value);
};

export const orNull = <T>(guard: Guard<T>): Guard<T | null> => (value): value is T | null => value === null || guard(value);

export const isText: Guard<string> = (value) => typeof value === 'string';
export const isFlag: Guard<boolean> = (value) => typeof value === 'boolean';
export const isNumber: Guard<number> = (value): value is number => typeof value === 'number' && Number.isFinite(value);
/** A counter that JSON carries exactly. */
export const isCount: Guard<number> = (value): value is number => typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
export const isDigestText: Guard<Digest> = (value): value is Digest => typeof value === 'string' && isDigest(value);
export const idOf = <Kind extends IdKind>(kind: Kind): Guard<IdOf<Kind>> => (value): value is IdOf<Kind> => typeof value === 'string' && isId(kind, value);
