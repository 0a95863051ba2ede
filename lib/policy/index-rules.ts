import type { InsistingRules, OperationRules, StepRules } from '@/lib/engine/policy';
import type { Field, Predicate, Test } from '@/lib/engine/predicate';
import type { Rule } from '@/lib/engine/rule';
import type { CatalogueEntry } from '@/lib/mediate/catalogue';

/** Fewer rules than this are looked through sooner than looked up. */
const worthLookingUp = 4;

type Insistence = { readonly field: Field; readonly values: readonly string[] };

/**
 * The rules (by priority, then id) of one operation, so laid out that deciding does not look at those which insist on another value of a field than the
 * action has: another role, another target. Each rule stands in one place, under the field that most rules insist on; so the
 * index takes no more room than the rules do.
 */
export function indexRules(rules: readonly Rule[], entry: CatalogueEntry): OperationRules {
  const open = new Set(rules);
  const insisting: InsistingRules[] = [];
  for (;;) {
    const [name, group] = largestGroup(open, entry);
    if (group.size < worthLookingUp) break;
    insisting.push(lookUp(name, group));
    for (const rule of group.keys()) open.delete(rule);
  }
  return { open: byStep([...open]), insisting, readsRecent: rules.some(({ applies, context }) => readsRecent(applies) || readsRecent(context)) };
}

type Group = ReadonlyMap<Rule, Insistence>;

/** The field that most of the rules insist on; of equal ones the first by name. */
function largestGroup(rules: ReadonlySet<Rule>, entry: CatalogueEntry): readonly [string, Group] {
  const groups = new Map<string, Map<Rule, Insistence>>();
  for (const rule of rules) {
    for (const [name, insistence] of insistencesOf(rule)) {
      if (!isComparedExactly(insistence.field, entry)) continue;
      const group = groups.get(name) ?? new Map<Rule, Insistence>();
      groups.set(name, group.set(rule, insistence));
    }
  }
  let largest: readonly [string, Group] = ['', new Map()];
  for (const name of [...groups.keys()].sort()) {
    const group = groups.get(name);
    if (group && group.size > largest[1].size) largest = [name, group];
  }
  return largest;
}

function lookUp(name: string, group: Group): InsistingRules {
  const lists = new Map<string, Rule[]>();
  for (const [rule, { values }] of group) {
    for (const value of new Set(values)) {
      const list = lists.get(value);
      if (list) list.push(rule);
      else lists.set(value, [rule]);
    }
  }
  const [first] = group.values();
  if (!first) throw new Error(`Rules insist on ${name}.`);
  return { field: first.field, byValue: new Map([...lists].map(([value, list]) => [value, byStep(list)])), all: byStep([...group.keys()]) };
}

const known = new WeakMap<Rule, ReadonlyMap<string, Insistence>>();

/** The fields that have to be one of certain texts for a rule to apply, by name. Worked out once, not for each operation of a blanket rule. */
function insistencesOf(rule: Rule): ReadonlyMap<string, Insistence> {
  const found = known.get(rule) ?? findInsistences(rule.applies);
  known.set(rule, found);
  return found;
}

function findInsistences(predicate: Predicate): ReadonlyMap<string, Insistence> {
  const found = new Map<string, Insistence>();
  const visit = (part: Predicate): void => {
    if (part.is === 'all') part.of.forEach(visit);
    if (part.is !== 'test') return;
    const name = nameOf(part.field);
    const values = textsOf(part.test);
    if (name !== null && values && !found.has(name)) found.set(name, { field: part.field, values });
  };
  visit(predicate);
  return found;
}

/** The texts one of which a value has to be; null for other tests, and where it may be something else than a text. */
function textsOf(test: Test): readonly string[] | null {
  const values = test.op === 'eq' ? [test.value] : test.op === 'in' ? test.values : [];
  const texts = values.filter((value) => typeof value === 'string');
  return values.length > 0 && texts.length === values.length ? texts : null;
}

/** Null for fields of which a test may hold though no text in them is one of those it names. */
function nameOf(field: Field): string | null {
  if (field.of === 'identity') return `identity.${field.name}`;
  if (field.of === 'operation') return field.name === 'target' ? 'target' : null;
  return field.of === 'parameter' && field.path.length === 1 ? `parameters.${field.path[0] ?? ''}` : null;
}

/** Whether two texts in the field are the same only if they are equal: by its role a parameter may be compared in another way. */
function isComparedExactly(field: Field, { parameters }: CatalogueEntry): boolean {
  if (field.of !== 'parameter') return true;
  const [name = ''] = field.path;
  const role = Object.hasOwn(parameters, name) ? parameters[name]?.role : undefined;
  return role === undefined || role === 'target';
}

function byStep(rules: readonly Rule[]): StepRules {
  return {
    forbidden: rules.filter((rule) => rule.classification === 'forbidden'),
    statics: rules.filter((rule) => rule.classification === 'static'),
    denies: rules.filter((rule) => rule.classification === 'context_dependent_deny'),
    allows: rules.filter((rule) => rule.classification === 'context_dependent_allow'),
    joins: rules.filter((rule) => rule.classification === 'context_dependent_decision' || rule.classification === 'context_dependent_defer'),
  };
}

function readsRecent(predicate: Predicate): boolean {
  switch (predicate.is) {
    case 'all':
    case 'any':
      return predicate.of.some(readsRecent);
    case 'not':
      return readsRecent(predicate.of);
    case 'test':
      return predicate.field.of === 'count';
    case 'compare':
      return predicate.left.of === 'count' || predicate.right.of === 'count';
    case 'sequence':
      return true;
  }
}
