import type { Field, Predicate, Test } from '@/lib/engine/predicate';
import type { Rule } from '@/lib/engine/rule';
import type { Catalogue } from '@/lib/mediate/catalogue';

/** One of the predicates that must all hold for a rule. Keys are equal for what says the same. */
export type Conjunct = { readonly predicate: Predicate; readonly key: string; readonly fieldKey: string | null };

const known = new WeakMap<Rule, readonly Conjunct[]>();

/** What must all hold for a rule, taken apart as far as `all` goes. Rules are compared with many others, so it is kept. */
export function conjunctsOf(rule: Rule): readonly Conjunct[] {
  const kept = known.get(rule);
  if (kept) return kept;
  const found = [...flat(rule.applies), ...flat(rule.context)].map((predicate): Conjunct => ({
    predicate, key: keyOf(predicate), fieldKey: predicate.is === 'test' ? keyOf(predicate.field) : null,
  }));
  known.set(rule, found);
  return found;
}

const flat = (predicate: Predicate): readonly Predicate[] => (predicate.is === 'all' ? predicate.of.flatMap(flat) : [predicate]);

/** The comparisons among them, which must each hold. */
export const requiredTests = (rule: Rule): readonly { readonly field: Field; readonly test: Test }[] =>
  conjunctsOf(rule).flatMap(({ predicate }) => (predicate.is === 'test' ? [predicate] : []));

export function keyOf(value: Predicate | Field): string {
  return JSON.stringify(value, (name, part: unknown) => (name === 'pattern' ? undefined : part instanceof Set ? [...part].sort() : part));
}

const scalars = ['string', 'number', 'integer', 'boolean'];

/** True when the field has at most one value for every operation that the rule matches: then "any" and "all" mean the same. */
export function isSingle(field: Field, keys: ReadonlySet<string>, catalogue: Catalogue): boolean {
  switch (field.of) {
    case 'identity':
      return field.name !== 'scope' && field.name !== 'delegation';
    case 'operation':
      return field.name !== 'effect';
    case 'elapsed':
    case 'count':
    case 'risk':
      return true;
    case 'parameter': {
      const [name = ''] = field.path;
      return field.path.length === 1 && [...keys].every((key) => {
        const parameters = catalogue.entries.get(key)?.parameters ?? {};
        const spec = Object.hasOwn(parameters, name) ? parameters[name] : undefined;
        return spec !== undefined && scalars.includes(spec.type) && (spec.role === undefined || spec.role === 'target' || spec.role === 'amount');
      });
    }
    case 'recipient':
    case 'owner':
    case 'attribute':
    case 'provenance':
    case 'labels':
    case 'intent':
    case 'prior':
    case 'time':
      return false;
  }
}
