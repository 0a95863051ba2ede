import { Environment } from '@marcbachmann/cel-js';

import type { Field, Predicate } from '@/lib/engine/predicate';
import type { Catalogue } from '@/lib/mediate/catalogue';
import { isJsonArray, type Json } from '@/lib/shared/json';

import { buildCondition } from './build-condition';
import { argumentsOf, isNode, literalOf, type Node } from './cel-nodes';
import { Diagnostics, type Path } from './diagnostics';
import { spellingOf } from './spell-value';
import { fieldOf, wordsOf } from './when-fields';

const environment = new Environment({ unlistedVariablesAreDyn: true, limits: { maxAstNodes: 300, maxDepth: 20, maxListElements: 200, maxCallArguments: 8, maxMapEntries: 0 } });

const comparisons: Readonly<Record<string, readonly [op: string, flipped: string]>> = {
  '==': ['eq', 'eq'], '!=': ['not', 'not'], '<': ['lt', 'gt'], '<=': ['lte', 'gte'], '>': ['gt', 'lt'], '>=': ['gte', 'lte'],
};
const orders = ['eq', 'not', 'lt', 'lte', 'gt', 'gte'] as const;
const methods: Readonly<Record<string, string>> = { startsWith: 'starts_with', contains: 'contains', matches: 'matches' };
const subset = 'Compare fields of action, identity and context with values or with each other, joined by &&, || and !.';
const never: Predicate = { is: 'any', of: [] };

type WhenOptions = {
  readonly path: Path;
  /** Whether the rule allows: then a comparison of what is absent is false also when it is negated. */
  readonly loosening: boolean;
  readonly catalogue: Catalogue;
  readonly diagnostics: Diagnostics;
};

/**
 * A `when`: CEL syntax, of which only what compiles to predicates is taken, so that a policy can be analysed. Null (with
 * diagnostics that name the character) for everything else; nothing of it is ever run by the library.
 */
export function buildWhen(source: string, options: WhenOptions): Predicate | null {
  let tree: unknown;
  try {
    tree = environment.parse(source).ast;
  } catch (cause) {
    const message = cause instanceof Error ? (cause.message.split('\n')[0] ?? '') : 'no reason given';
    options.diagnostics.add(options.path, `The expression cannot be read: ${message}`, subset, placeOf(cause));
    return null;
  }
  const before = options.diagnostics.found.length;
  const predicate = new WhenBuilder(options).build(tree, false);
  return options.diagnostics.found.length > before ? null : predicate;
}

/** Where the library stopped reading, when it says so. */
function placeOf(cause: unknown): number | undefined {
  const node: unknown = typeof cause === 'object' && cause !== null && 'node' in cause ? cause.node : undefined;
  return typeof node === 'object' && node !== null && 'pos' in node && typeof node.pos === 'number' ? node.pos : undefined;
}

/** True when the predicate reads more than the action and who proposes it. */
export function readsContext(predicate: Predicate): boolean {
  switch (predicate.is) {
    case 'all':
    case 'any':
      return predicate.of.some(readsContext);
    case 'not':
      return readsContext(predicate.of);
    case 'sequence':
      return true;
    case 'compare':
      return isContext(predicate.left) || isContext(predicate.right);
    case 'test':
      return isContext(predicate.field);
  }
}

const isContext = (field: Field): boolean => field.of !== 'parameter' && field.of !== 'identity' && field.of !== 'operation';

/** Fields that may be compared with each other: values that labels, trust and signals do not move. */
const comparable: readonly Field['of'][] = ['parameter', 'identity', 'operation', 'owner', 'attribute', 'recipient'];

class WhenBuilder {
  constructor(private readonly options: WhenOptions) {}

  /** Negations are moved to the comparisons, where it is known what is compared. */
  build(tree: unknown, negated: boolean): Predicate {
    if (!isNode(tree)) return this.refuse('this expression');
    const args = argumentsOf(tree);
    const comparison = Object.hasOwn(comparisons, tree.op) ? comparisons[tree.op] : undefined;
    if (comparison) return this.negate(negated, this.comparison(tree, comparison, args[0], args[1]));
    switch (tree.op) {
      case '&&':
        return { is: negated ? 'any' : 'all', of: args.map((part) => this.build(part, negated)) };
      case '||':
        return { is: negated ? 'all' : 'any', of: args.map((part) => this.build(part, negated)) };
      case '!_':
        return this.build(args[0], !negated);
      case 'in':
        return this.negate(negated, this.membership(tree, args[0], args[1]));
      case 'call':
        return this.negate(negated, this.presence(tree, args[0], args[1]));
      case 'rcall':
        return this.negate(negated, this.method(tree, args[0], args[1], args[2]));
      case '.':
      case '[]': {
        const field = this.field(tree);
        return this.negate(negated, field ? this.condition(tree, field, 'eq', true) : this.refuse(`the name ${wordsOf(tree)?.join('.') ?? 'that is computed'}`, tree));
      }
      default:
        return this.refuse(`the operator ${tree.op.replaceAll('_', '')}`, tree);
    }
  }

  private negate(negated: boolean, predicate: Predicate): Predicate {
    if (!negated) return predicate;
    const denied: Predicate = { is: 'not', of: predicate };
    if (!this.options.loosening || (predicate.is === 'test' && predicate.test.op === 'exists')) return denied;
    const compared = (predicate.is === 'compare' ? [predicate.left, predicate.right] : predicate.is === 'test' ? [predicate.field] : []).filter(({ of }) => of === 'parameter');
    const there = compared.map((field): Predicate => ({ is: 'test', field, test: { op: 'exists', value: true, implied: true } }));
    return there.length === 0 ? denied : { is: 'all', of: [...there, denied] };
  }

  private comparison(tree: Node, [op, flipped]: readonly [string, string], left: unknown, right: unknown): Predicate {
    const [field, literal] = [this.field(left), this.literal(right, left)];
    if (field && literal !== undefined) return this.condition(tree, field, op, literal);
    const [other, first] = [this.field(right), this.literal(left, right)];
    if (other && first !== undefined) return this.condition(tree, other, flipped, first);
    if (field && other) return this.fields(tree, field, op, other);
    const called = [left, right].find((side) => isNode(side) && (side.op === 'call' || side.op === 'rcall'));
    if (isNode(called)) return this.refuse(`the function ${String(argumentsOf(called)[0])}`, called);
    return this.refuse('a comparison other than of a field with a value or a field', tree);
  }

  private fields(tree: Node, left: Field, op: string, right: Field): Predicate {
    const known = orders.find((one) => one === op);
    if (known && comparable.includes(left.of) && comparable.includes(right.of)) return { is: 'compare', left, op: known, right };
    return this.refuse('a comparison of these two fields', tree);
  }

  private membership(tree: Node, left: unknown, right: unknown): Predicate {
    const list = literalOf(right);
    const field = this.field(left);
    if (field && list !== undefined && isJsonArray(list)) return this.condition(tree, field, 'in', list);
    const [whole, value] = [this.field(right), literalOf(left)];
    if (whole && value !== undefined) return this.condition(tree, whole, 'contains', value);
    return this.refuse('an `in` other than a field in a list, or a value in a field', tree);
  }

  /** `has(field)`: whether it is there; an error in a condition on it would be none of this. */
  private presence(tree: Node, name: unknown, args: unknown): Predicate {
    const [only, ...more] = Array.isArray(args) ? (args as readonly unknown[]) : [];
    const field = name === 'has' && more.length === 0 ? this.field(only) : null;
    return field ? { is: 'test', field, test: { op: 'exists', value: true } } : this.refuse(`the function ${String(name)}`, tree);
  }

  private method(tree: Node, name: unknown, on: unknown, args: unknown): Predicate {
    const op = typeof name === 'string' && Object.hasOwn(methods, name) ? methods[name] : undefined;
    const field = this.field(on);
    const literal = Array.isArray(args) && args.length === 1 ? literalOf((args as readonly unknown[])[0]) : undefined;
    return op !== undefined && field && typeof literal === 'string' ? this.condition(tree, field, op, literal) : this.refuse(`the function ${String(name)}`, tree);
  }

  /** As in the other parts of a rule; what is wrong with it is told at the place in the expression. */
  private condition(tree: Node, field: Field, op: string, value: Json): Predicate {
    const { catalogue, diagnostics, path } = this.options;
    const local = new Diagnostics();
    const predicate = buildCondition(field, { [op]: value }, [], local, spellingOf(field, catalogue, local));
    for (const { message, fix } of local.found) diagnostics.add(path, message, fix, tree.start);
    return predicate;
  }

  private field(tree: unknown): Field | null {
    const words = wordsOf(tree);
    if (!words || !isNode(tree)) return null;
    if (words[0] === 'reason' || (words[0] === 'action' && words[1] === 'reason')) {
      this.options.diagnostics.add(this.options.path, 'The agent’s reason is its own words and never decides anything.', 'Remove it.', tree.start);
    }
    return fieldOf(words);
  }

  /** A value, or `duration("20m")` where it is compared with a time. */
  private literal(tree: unknown, beside: unknown): Json | undefined {
    if (isNode(tree) && tree.op === 'call' && this.field(beside)?.of === 'elapsed') {
      const [name, args] = argumentsOf(tree);
      return name === 'duration' && Array.isArray(args) && args.length === 1 ? literalOf((args as readonly unknown[])[0]) : undefined;
    }
    return literalOf(tree);
  }

  private refuse(what: string, tree?: Node): Predicate {
    this.options.diagnostics.add(this.options.path, `A when cannot use ${what}.`, subset, tree?.start);
    return never;
  }
}
