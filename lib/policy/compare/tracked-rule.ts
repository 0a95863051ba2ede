import type { Field } from '@/lib/engine/predicate';
import { isAtOrUnder } from '@/lib/engine/read-provenance';
import { isLoosening, type Rule } from '@/lib/engine/rule';
import type { CatalogueEntry } from '@/lib/mediate/catalogue';

import { dimensionKey, dimensionsOf, dimensionsOfField, leavesOf, needsOf, type Dimension, type Leaf } from './dimensions';
import { argumentsSeenWith } from './shared-facts';

/** A rule of one of the policies, or of both, with what it depends on for actions of one operation. */
export type TrackedRule = {
  readonly rule: Rule;
  readonly side: 'base' | 'next' | 'both';
  readonly cautious: boolean;
  readonly leaves: readonly TrackedLeaf[];
  readonly byLeaf: ReadonlyMap<Leaf, TrackedLeaf>;
  /** Of all its comparisons, and what a DEFER waits for. */
  readonly dimensions: ReadonlyMap<string, Dimension>;
  /** What each fact depends on that a DEFER waits for. */
  readonly needs: readonly (readonly string[])[];
  /** Arguments that it changes. */
  readonly changes: ReadonlySet<string>;
};

export type TrackedLeaf = { readonly leaf: Leaf; readonly keys: readonly string[] };

export function trackRules(rules: Readonly<Record<TrackedRule['side'], readonly Rule[]>>, entry: CatalogueEntry): readonly TrackedRule[] {
  const all = Object.values(rules).flat().flatMap((rule) => [...leavesOf(rule.applies), ...leavesOf(rule.context)]);
  const provenances = new Set(all.flatMap((leaf) => fieldsOf({ leaf })).flatMap((field) => (field.of === 'provenance' ? [field.path] : [])));
  return (['both', 'base', 'next'] as const).flatMap((side) => rules[side].map((rule) => trackRule(rule, side, entry, [...provenances])));
}

function trackRule(rule: Rule, side: TrackedRule['side'], entry: CatalogueEntry, provenances: readonly string[]): TrackedRule {
  const dimensions = new Map<string, Dimension>();
  const take = (found: readonly Dimension[]): readonly string[] => found.map((one) => {
    const key = dimensionKey(one);
    dimensions.set(key, one);
    return key;
  });
  const leaves = [...leavesOf(rule.applies), ...leavesOf(rule.context)].map((leaf): TrackedLeaf => {
    const fields = fieldsOf({ leaf });
    // Where a part comes from, or any argument, is where the whole comes from too.
    const parts = provenances.filter((path) => fields.some((field) => field.of === 'provenance' && field.path !== path && (field.path === '*' || isAtOrUnder(path, field.path))));
    const seen = fields.flatMap((field) => (field.of === 'parameter' ? argumentsSeenWith(field.path[0] ?? '', entry) : []));
    take(seen.map((name) => ({ of: 'parameter', name })));
    return { leaf, keys: take([...dimensionsOf(leaf, entry), ...parts.flatMap((path) => dimensionsOfField({ of: 'provenance', path }, entry))]) };
  });
  const changes = new Set(rule.modify.map(({ path }) => path[0] ?? ''));
  take([...changes].filter((name) => Object.hasOwn(entry.parameters, name)).map((name) => ({ of: 'parameter', name })));
  return { rule, side, cautious: isLoosening(rule), leaves, byLeaf: new Map(leaves.map((one) => [one.leaf, one])), dimensions, needs: needsOf(rule, entry).map(take), changes };
}

/** What a rule says, whatever it is called and however it is explained; two rules with one text decide alike. */
export function ruleText(rule: Rule): string {
  const { action, classification, priority, applies, context, approval, modify, needs, defer_s, obligations, opaque } = rule;
  const said = { action, classification, priority, applies, context, approval, modify, needs, defer_s, obligations, opaque };
  return JSON.stringify(said, (name, value: unknown) => (name === 'pattern' ? undefined : value instanceof Set ? [...value].sort() : value));
}

export const fieldsOf = ({ leaf }: Pick<TrackedLeaf, 'leaf'>): readonly Field[] => (leaf.is === 'test' ? [leaf.field] : leaf.is === 'compare' ? [leaf.left, leaf.right] : []);

/** What rules read or wait for that is said of the target or of recipients, which arguments tell: `target owner`. */
export function subjectsIn(rules: readonly TrackedRule[]): readonly string[] {
  const fields = rules.flatMap(({ leaves }) => leaves).flatMap(fieldsOf);
  const read = fields.flatMap((field) => (field.of === 'owner' ? ['target owner'] : field.of === 'attribute' ? [`${field.about} ${field.name}`] : []));
  const needed = rules.flatMap(({ rule }) => rule.needs).flatMap(({ attribute, field }) => (attribute === null ? [] : [`${field.startsWith('recipient.') ? 'recipients' : 'target'} ${attribute}`]));
  return [...new Set([...read, ...needed])].sort();
}
