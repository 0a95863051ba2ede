import type { Catalogue } from '@/lib/mediate/catalogue';

/** `db.delete` → `database.delete`, by the catalogue's aliases. */
export function canonicalKey(name: string, catalogue: Catalogue): string {
  const dot = name.lastIndexOf('.');
  if (dot < 0) return name;
  const tool = name.slice(0, dot);
  return `${catalogue.aliases.get(tool) ?? tool}.${name.slice(dot + 1)}`;
}

/** True when the pattern names the text; `*` stands for one whole dotted segment, alone for everything. */
export function matchesPattern(pattern: string, text: string): boolean {
  if (pattern === '*' || pattern === text) return true;
  if (!pattern.includes('*')) return false;
  const wanted = pattern.split('.');
  const found = text.split('.');
  return wanted.length === found.length && wanted.every((segment, i) => segment === '*' || segment === found[i]);
}

/** The keys of the catalogue that any of the patterns name. A pattern without `*` that is not there is kept as it is. */
export function keysNamed(patterns: readonly string[], catalogue: Catalogue): readonly string[] {
  const keys = new Set<string>();
  for (const pattern of patterns) {
    const wanted = canonicalKey(pattern, catalogue);
    if (!wanted.includes('*')) keys.add(wanted);
    else for (const key of catalogue.entries.keys()) if (matchesPattern(wanted, key)) keys.add(key);
  }
  return [...keys].sort();
}

/** The catalogue's keys whose tool and operation the patterns name; null names all. */
export function matchingKeys(tools: readonly string[] | null, operations: readonly string[] | null, catalogue: Catalogue): ReadonlySet<string> {
  const keys = new Set<string>();
  for (const [key, entry] of catalogue.entries) {
    if (tools && !tools.some((pattern) => matchesPattern(pattern, entry.tool))) continue;
    if (operations && !operations.some((pattern) => matchesPattern(pattern, entry.operation))) continue;
    keys.add(key);
  }
  return keys;
}
