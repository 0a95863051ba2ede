import type { Field, Predicate, Step } from '@/lib/engine/predicate';
import type { Rule } from '@/lib/engine/rule';
import type { CatalogueEntry } from '@/lib/mediate/catalogue';

/** One thing that can be so or otherwise: an argument, a level of identity, what was said of an attribute. */
export type Dimension =
  | { readonly of: 'parameter'; readonly name: string }
  | { readonly of: 'identity'; readonly name: Extract<Field, { of: 'identity' }>['name'] }
  | { readonly of: 'attribute'; readonly name: string; readonly about: 'target' | 'recipients' }
  /** How many things the action is about that something may be said of: none, one, several. */
  | { readonly of: 'subject'; readonly about: 'target' | 'recipients' }
  | { readonly of: 'provenance'; readonly path: string }
  | { readonly of: 'risk'; readonly signal: string }
  | { readonly of: 'labels' | 'intent' | 'history' | 'elapsed' | 'time' };

/** Dimensions are compared by this. Arguments stand before what is said of them. */
export function dimensionKey(dimension: Dimension): string {
  switch (dimension.of) {
    case 'parameter':
      return `parameter ${dimension.name}`;
    case 'identity':
      return `identity ${dimension.name}`;
    case 'attribute':
      return `attribute ${dimension.about} ${dimension.name}`;
    case 'subject':
      return `subject ${dimension.about}`;
    case 'provenance':
      return `provenance ${dimension.path}`;
    case 'risk':
      return `risk ${dimension.signal}`;
    default:
      return dimension.of;
  }
}

export type Leaf = Extract<Predicate, { is: 'test' | 'compare' | 'sequence' }>;

export function leavesOf(predicate: Predicate): readonly Leaf[] {
  switch (predicate.is) {
    case 'all':
    case 'any':
      return predicate.of.flatMap(leavesOf);
    case 'not':
      return leavesOf(predicate.of);
    default:
      return [predicate];
  }
}

/** The steps that a sequence or a count means. */
export const stepsOf = (leaf: Leaf): readonly Step[] => (leaf.is === 'sequence' ? [...leaf.before, leaf.last] : leaf.is === 'test' && leaf.field.of === 'count' ? [leaf.field.which] : []);

/** What a comparison depends on, for actions of one operation. */
export function dimensionsOf(leaf: Leaf, entry: CatalogueEntry): readonly Dimension[] {
  if (leaf.is === 'compare') return [...dimensionsOfField(leaf.left, entry), ...dimensionsOfField(leaf.right, entry)];
  if (leaf.is === 'sequence') return isKey(leaf.last, entry) ? [{ of: 'history' }, ...labelsOf([...leaf.before, leaf.last]), ...shownFor(leaf.last, entry)] : [];
  const own = dimensionsOfField(leaf.field, entry);
  return leaf.test.op === 'owned_by' && leaf.test.owner === 'requesting_user' ? [...own, { of: 'identity', name: 'human' }] : own;
}

/** What each fact depends on that a DEFER rule waits for. */
export const needsOf = (rule: Rule, entry: CatalogueEntry): readonly (readonly Dimension[])[] =>
  rule.needs.map(({ field, attribute }) => {
    if (attribute !== null) return dimensionsOfField({ of: 'attribute', name: attribute, about: field.startsWith('recipient.') ? 'recipients' : 'target' }, entry);
    return dimensionsOfField(field === 'user_intent' ? { of: 'intent' } : { of: 'recipient' }, entry);
  });

export function dimensionsOfField(field: Field, entry: CatalogueEntry): readonly Dimension[] {
  switch (field.of) {
    case 'parameter':
      return ofParameter(field.path[0] ?? '', entry);
    case 'identity':
      return [{ of: 'identity', name: field.name }];
    case 'operation':
      if (field.name === 'target') return hasTarget(entry) ? withRole(entry, (role) => role === 'target') : withRole(entry, () => true);
      return field.name === 'effect' || field.name === 'impact' ? shownBy(entry) : [];
    case 'recipient':
      return withRole(entry, (role) => role === 'recipients');
    case 'owner':
      return [{ of: 'subject', about: 'target' }, { of: 'attribute', name: 'owner', about: 'target' }];
    case 'attribute': {
      const subjects: readonly Dimension[] = /^(?:effect|precondition)\./.test(field.name) ? [] : [{ of: 'subject', about: field.about }];
      return [...subjects, { of: 'attribute', name: field.name, about: field.about }];
    }
    case 'provenance':
      return field.path === '*'
        ? [...someArgument(entry), { of: 'provenance', path: '*' }]
        : [...ofParameter(field.path.split('.')[0] ?? '', entry), { of: 'provenance', path: field.path }];
    case 'labels':
      return [{ of: 'labels' }];
    case 'intent':
      return [{ of: 'intent' }];
    case 'prior':
      return [{ of: 'history' }];
    case 'count':
      return field.sums === 'amounts' && isKey(field.which, entry) ? [{ of: 'history' }, ...labelsOf([field.which]), ...shownFor(field.which, entry), ...withRole(entry, (role) => role === 'amount')] : [{ of: 'history' }];
    case 'elapsed':
      return [{ of: 'elapsed' }];
    case 'time':
      return [{ of: 'time' }];
    case 'risk':
      return [{ of: 'risk', signal: field.signal }];
  }
}

/** An argument that the operation does not take is always left out, unless it takes any. */
const ofParameter = (name: string, entry: CatalogueEntry): readonly Dimension[] => (Object.hasOwn(entry.parameters, name) || entry.open === true ? [{ of: 'parameter', name }] : []);

const withRole = (entry: CatalogueEntry, wanted: (role: string) => boolean): readonly Dimension[] =>
  Object.entries(entry.parameters).flatMap(([name, { role }]): readonly Dimension[] => (role !== undefined && wanted(role) ? [{ of: 'parameter', name }] : []));

/** A target that has to be given is the target; else whatever stands alone may be. */
const hasTarget = (entry: CatalogueEntry): boolean => Object.values(entry.parameters).some(({ role, optional }) => role === 'target' && optional !== true);

const shownBy = (entry: CatalogueEntry): readonly Dimension[] => withRole(entry, (role) => role === 'query' || role === 'command');

/** Whether this operation may be such a step. */
const isKey = ({ keys }: Step, { tool, operation }: CatalogueEntry): boolean => keys?.has(`${tool}.${operation}`) ?? true;

const labelsOf = (steps: readonly Step[]): readonly Dimension[] => (steps.some(({ label }) => label !== null) ? [{ of: 'labels' }] : []);

/** What the arguments show makes a step of an action only where its own effect does not. */
const shownFor = ({ effects }: Step, entry: CatalogueEntry): readonly Dimension[] => (effects === null || effects.includes(entry.effect) ? [] : shownBy(entry));

/** Without any argument there is no place that one could come from. */
function someArgument(entry: CatalogueEntry): readonly Dimension[] {
  const specs = Object.entries(entry.parameters);
  if (specs.some(([, { optional }]) => optional !== true)) return [];
  const [first] = specs.find(([, { role }]) => role === undefined) ?? specs[0] ?? [];
  return first === undefined ? [] : [{ of: 'parameter', name: first }];
}
