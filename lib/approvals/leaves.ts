import { isJsonArray, isJsonObject, type Json } from '@/lib/shared/json';

/** A value without parts (an empty list or object is one) and where it stands, such as `to[0]` or `where.owner`. */
export type Leaf = { readonly path: string; readonly value: Json };

/**
 * Every leaf inside a value, names in code-unit order.
 * INVARIANT: two leaves never share a path, or an agent could hide one argument behind another (`a.b` behind `a: { b }`).
 */
export const leavesOf = (value: Json): Leaf[] => partsOf(value, '').flatMap(({ path, value: part }) => within(part, path));

const within = (value: Json, path: string): Leaf[] => {
  const parts = partsOf(value, path);
  return parts.length === 0 ? [{ path, value }] : parts.flatMap((part) => within(part.value, part.path));
};

function partsOf(value: Json, path: string): Leaf[] {
  if (isJsonArray(value)) return value.map((item, index) => ({ path: `${path}[${index}]`, value: item }));
  if (!isJsonObject(value)) return [];
  return Object.keys(value)
    .sort()
    .map((name) => ({ path: path + step(name, path === ''), value: value[name] ?? null }));
}

/** `name`, `.name`, or for a name with anything odd in it `["odd name"]`. */
const step = (name: string, first: boolean): string =>
  /^[A-Za-z_$][\w$-]*$/.test(name) ? (first ? name : `.${name}`) : `[${JSON.stringify(name)}]`;

/** True when `path` is `whole` or lies inside it. */
export const isWithin = (path: string, whole: string): boolean =>
  path === whole || path.startsWith(`${whole}.`) || path.startsWith(`${whole}[`);
