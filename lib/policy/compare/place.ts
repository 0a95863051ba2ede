import type { CatalogueEntry } from '@/lib/mediate/catalogue';

import type { Option } from './context-options';
import type { Leaf } from './dimensions';
import type { SceneMaker } from './scene';
import type { TrackedRule } from './tracked-rule';

/** The ways a dimension can be that the rules at hand tell apart, and what could not be told apart for sure. */
export type Choice = { readonly options: readonly Option[]; readonly doubts: readonly string[] };

export type Place = {
  readonly entry: CatalogueEntry;
  readonly make: SceneMaker;
  /** What is chosen already that this depends on. */
  readonly chosen: ReadonlyMap<string, Option>;
  readonly active: readonly TrackedRule[];
  /** Every rule that is open, where a comparison links this with another field: what they ask of that one, or change of it, matters here too. */
  readonly linked: readonly TrackedRule[];
  readonly internal: readonly string[];
  /** Of what something may be said that a rule still reads: `target owner`. */
  readonly subjects: readonly string[];
  /** Everything that is chosen already. */
  readonly taken: ReadonlySet<string>;
};

/** A comparison with the caution under which rules hold it. */
export type Held = { readonly leaf: Leaf; readonly side: TrackedRule['side'] };

/** Every comparison that depends on a dimension, once. */
export function leavesOn(key: string, active: readonly TrackedRule[]): readonly Held[] {
  const found = new Map<string, Held>();
  for (const { leaves, side } of active) {
    for (const { leaf, keys } of leaves) {
      if (!keys.includes(key)) continue;
      const name = `${side} ${leafText(leaf)}`;
      if (!found.has(name)) found.set(name, { leaf, side });
    }
  }
  return [...found.values()];
}

const texts = new WeakMap<Leaf, string>();

export function leafText(leaf: Leaf): string {
  const known = texts.get(leaf);
  if (known !== undefined) return known;
  const text = JSON.stringify(leaf, (name, value: unknown) => (name === 'pattern' ? undefined : value instanceof Set ? [...value].sort() : name === 'zone' && typeof value === 'object' && value !== null && 'name' in value ? value.name : value));
  texts.set(leaf, text);
  return text;
}
