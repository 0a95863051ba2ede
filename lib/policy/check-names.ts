import type { Predicate } from '@/lib/engine/predicate';
import type { CatalogueEntry } from '@/lib/mediate/catalogue';
import { nearestNames } from '@/lib/mediate/nearest-names';

import type { Diagnostics, Path } from './diagnostics';
import { testsOf } from './tests-of';

/** Notes a parameter that none of the operations has, since no condition on it or change of it could ever mean anything. */
export function checkParameter(name: string, entries: readonly CatalogueEntry[], path: Path, diagnostics: Diagnostics, within?: number): boolean {
  const known = entries.length === 0 || entries.some((entry) => entry.open === true || Object.hasOwn(entry.parameters, name));
  if (known) return true;
  const [near] = nearestNames(name, entries.flatMap((entry) => Object.keys(entry.parameters)));
  const fix = near === undefined ? 'Remove it.' : `Did you mean ${near}?`;
  diagnostics.add(path, `None of the operations that this rule matches has a parameter ${JSON.stringify(name)}.`, fix, within);
  return false;
}

/** The parameters that a `when` reads, each told at its place in the expression. */
export function checkWhenNames(when: Predicate, source: string, entries: readonly CatalogueEntry[], path: Path, diagnostics: Diagnostics): void {
  for (const name of parametersOf(when)) {
    const at = source.search(new RegExp(`(?:parameters|provenance)(?:\\.|\\[\\s*["'])${name.replaceAll(/[^A-Za-z0-9_]/g, '.')}`));
    checkParameter(name, entries, path, diagnostics, Math.max(0, at));
  }
}

/** The arguments whose provenance a context asks for. */
export function checkContextNames(context: Predicate, entries: readonly CatalogueEntry[], path: Path, diagnostics: Diagnostics): void {
  for (const { field } of testsOf(context)) {
    if (field.of !== 'provenance' || field.path === '*') continue;
    const [name = ''] = field.path.split(/[.[]/);
    checkParameter(name, entries, [...path, 'provenance', field.path], diagnostics);
  }
}

function parametersOf(predicate: Predicate): ReadonlySet<string> {
  return new Set(testsOf(predicate).flatMap(({ field }) => {
    if (field.of === 'parameter') return field.path.slice(0, 1);
    return field.of === 'provenance' && field.path !== '*' ? field.path.split(/[.[]/).slice(0, 1) : [];
  }));
}
