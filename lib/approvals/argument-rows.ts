import { canonicalJson } from '@/lib/shared/canonical-json';
import type { Json } from '@/lib/shared/json';

import type { ArgumentRole, HeldAction, HeldArgument, Source } from './held-action';
import { isWithin, leavesOf } from './leaves';

/** One argument of a beside the same of a′, and where the value that would run came from. Null: absent there. */
export type ArgumentRow = {
  readonly path: string;
  readonly before: { readonly value: Json } | null;
  readonly after: { readonly value: Json } | null;
  readonly change: 'same' | 'changed' | 'added' | 'removed';
  readonly source: Source;
  readonly where: string | null;
  readonly role: ArgumentRole | null;
};

/** Every leaf of a and a′ in one order of paths. What was not traced counts as made up. */
export function argumentRows(held: HeldAction): readonly ArgumentRow[] {
  const before = new Map(leavesOf(held.action.parameters).map(({ path, value }) => [path, value]));
  const after = held.transformed ? new Map(leavesOf(held.transformed.parameters).map(({ path, value }) => [path, value])) : before;
  const paths = [...new Set([...before.keys(), ...after.keys()])].sort();
  return paths.map((path) => {
    const known = argumentAt(held.arguments, path);
    return {
      path,
      before: valueAt(before, path),
      after: valueAt(after, path),
      change: changeOf(before.get(path), after.get(path)),
      source: known?.source ?? 'nowhere',
      where: known?.where ?? null,
      role: known?.role ?? null,
    };
  });
}

/** The entry for exactly this leaf, else the narrowest for a value around it. */
function argumentAt(all: readonly HeldArgument[], path: string): HeldArgument | undefined {
  let best: HeldArgument | undefined;
  for (const argument of all) {
    if (isWithin(path, argument.path) && (!best || argument.path.length > best.path.length)) best = argument;
  }
  return best;
}

const valueAt = (leaves: ReadonlyMap<string, Json>, path: string): { readonly value: Json } | null => {
  const value = leaves.get(path);
  return value === undefined ? null : { value };
};

function changeOf(before: Json | undefined, after: Json | undefined): ArgumentRow['change'] {
  if (before === undefined) return 'added';
  if (after === undefined) return 'removed';
  return canonicalJson(before) === canonicalJson(after) ? 'same' : 'changed';
}
