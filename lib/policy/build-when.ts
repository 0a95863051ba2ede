import { Environment } from '@marcbachmann/cel-js';

import { identityNames, type Field, type Predicate, type Test } from '@/lib/engine/predicate';
import type { Json } from '@/lib/shared/json';

import { buildCondition } from './build-condition';
import type { Diagnostics, Path } from './diagnostics';

/** A node of the library's syntax tree, as far as it is read here: an operator with its arguments. */
type Node = { readonly op: string; readonly args: unknown };

const environment = new Environment({ unlistedVariablesAreDyn: true, limits: { maxAstNodes: 300, maxDepth: 20, maxListElements: 200, maxCallArguments: 8, maxMapEntries: 0 } });

const comparisons: Readonly<Record<string, readonly [op: string, flipped: string]>> = {
  '==': ['eq', 'eq'], '!=': ['not', 'not'], '<': ['lt', 'gt'], '<=': ['lte', 'gte'], '>': ['gt', 'lt'], '>=': ['gte', 'lte'],
};
const methods: Readonly<Record<string, string>> = { startsWith: 'starts_with', contains: 'contains', matches: 'matches' };

/**
 * A `when`: CEL syntax, of which only what compiles to predicates is taken, so that a policy can be analysed. Null (with a
 * diagnostic) for everything else; nothing of it is ever run by the library.
 */
export function buildWhen(source: string, path: Path, diagnostics: Diagnostics): Predicate | null {
  let tree: unknown;
  try {
    tree = environment.parse(source).ast;
  } catch (cause) {
    diagnostics.add(path, `The expression cannot be read: ${cause instanceof Error ? (cause.message.split('\n')[0] ?? '') : 'no reason given'}`);
    return null;
  }
  const before = diagnostics.found.length;
  const predicate = new WhenBuilder(path, diagnostics).build(tree);
  return diagnostics.found.length > before ? null : predicate;
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
    case 'test':
      return predicate.field.of !== 'parameter' && predicate.field.of !== 'identity' && predicate.field.of !== 'operation';
  }
}

class WhenBuilder {
  constructor(
    private readonly path: Path,
    private readonly diagnostics: Diagnostics,
  ) {}

  build(tree: unknown): Predicate {
    if (!isNode(tree)) return this.refuse('this expression');
    const args = Array.isArray(tree.args) ? (tree.args as readonly unknown[]) : [tree.args];
    const comparison = Object.hasOwn(comparisons, tree.op) ? comparisons[tree.op] : undefined;
    if (comparison) return this.comparison(comparison, args[0], args[1]);
    switch (tree.op) {
      case '&&':
        return { is: 'all', of: args.map((part) => this.build(part)) };
      case '||':
        return { is: 'any', of: args.map((part) => this.build(part)) };
      case '!_':
        return { is: 'not', of: this.build(args[0]) };
      case 'in':
        return this.membership(args[0], args[1]);
      case 'call':
        return this.call(args[0], args[1]);
      case 'rcall':
        return this.method(args[0], args[1], args[2]);
      case '.':
      case '[]': {
        const field = this.field(tree);
        return field ? { is: 'test', field, test: { op: 'eq', value: true } } : this.refuse('this name');
      }
      default:
        return this.refuse(`the operator ${tree.op}`);
    }
  }

  private comparison([op, flipped]: readonly [string, string], left: unknown, right: unknown): Predicate {
    const [field, literal] = [this.field(left), literalOf(right)];
    if (field && literal !== undefined) return this.condition(field, op, literal);
    const [other, first] = [this.field(right), literalOf(left)];
    if (other && first !== undefined) return this.condition(other, flipped, first);
    return this.refuse('a comparison other than of a field with a value');
  }

  private membership(left: unknown, right: unknown): Predicate {
    const list = literalOf(right);
    const field = this.field(left);
    if (field && Array.isArray(list)) return this.condition(field, 'in', list);
    const [whole, value] = [this.field(right), literalOf(left)];
    if (whole && value !== undefined) return this.condition(whole, 'contains', value);
    return this.refuse('an `in` other than a field in a list, or a value in a field');
  }

  private call(name: unknown, args: unknown): Predicate {
    const [only] = Array.isArray(args) ? (args as readonly unknown[]) : [];
    const field = name === 'has' ? this.field(only) : null;
    return field ? { is: 'test', field, test: { op: 'exists', value: true } satisfies Test } : this.refuse(`the function ${String(name)}`);
  }

  private method(name: unknown, on: unknown, args: unknown): Predicate {
    const op = typeof name === 'string' && Object.hasOwn(methods, name) ? methods[name] : undefined;
    const field = this.field(on);
    const literal = Array.isArray(args) && args.length === 1 ? literalOf((args as readonly unknown[])[0]) : undefined;
    return op !== undefined && field && typeof literal === 'string' ? this.condition(field, op, literal) : this.refuse(`the function ${String(name)}`);
  }

  private condition(field: Field, op: string, value: Json): Predicate {
    return buildCondition(field, { [op]: value }, this.path, this.diagnostics);
  }

  /** `parameters.x`, `action.parameters.x`, `identity.role`, `tool`, `context.owner`, `context.attributes.x` and the like. */
  private field(tree: unknown): Field | null {
    const names = namesOf(tree);
    if (!names) return null;
    const [first = '', second = '', ...rest] = names[0] === 'action' ? names.slice(1) : names;
    if (first === 'reason') this.diagnostics.add(this.path, 'The agent’s reason is its own words and never decides anything.', 'Remove it.');
    if (first === 'parameters' && second !== '') return { of: 'parameter', path: [second, ...rest] };
    if (first === 'identity' && rest.length === 0) {
      const name = identityNames.find((known) => known === second);
      return name ? { of: 'identity', name } : null;
    }
    if (second === '' && (first === 'tool' || first === 'operation' || first === 'effect' || first === 'impact' || first === 'target')) return { of: 'operation', name: first };
    if (first !== 'context') return null;
    const [attribute] = rest;
    if (second === 'attributes' && attribute !== undefined && rest.length === 1) return { of: 'attribute', name: attribute };
    if (rest.length > 0) return null;
    if (second === 'labels' || second === 'data_classification') return { of: 'labels' };
    if (second === 'owner') return { of: 'owner' };
    if (second === 'recipients') return { of: 'recipient' };
    if (second === 'user_intent') return { of: 'intent' };
    return second === 'prior_actions' ? { of: 'prior' } : null;
  }

  private refuse(what: string): Predicate {
    this.diagnostics.add(this.path, `A when cannot use ${what}.`, 'It compares fields of action, identity and context with values, joined by &&, || and !.');
    return { is: 'any', of: [] };
  }
}

const isNode = (tree: unknown): tree is Node =>
  typeof tree === 'object' && tree !== null && 'op' in tree && typeof tree.op === 'string' && 'args' in tree;

/** `a.b["c"]` → `['a', 'b', 'c']`; null for anything else. */
function namesOf(tree: unknown): readonly string[] | null {
  if (!isNode(tree)) return null;
  if (tree.op === 'id') return typeof tree.args === 'string' ? [tree.args] : null;
  if ((tree.op !== '.' && tree.op !== '[]') || !Array.isArray(tree.args)) return null;
  const [on, part] = tree.args as readonly unknown[];
  const names = namesOf(on);
  const name = tree.op === '.' ? part : literalOf(part);
  return names && typeof name === 'string' ? [...names, name] : null;
}

/** A literal's value; undefined when it is none, or a number that is not exact. */
function literalOf(tree: unknown): Json | undefined {
  if (!isNode(tree)) return undefined;
  if (tree.op === 'list' && Array.isArray(tree.args)) {
    const parts = (tree.args as readonly unknown[]).map(literalOf);
    return parts.every((part) => part !== undefined) ? parts : undefined;
  }
  if (tree.op === '-_') {
    const value = literalOf(Array.isArray(tree.args) ? (tree.args as readonly unknown[])[0] : tree.args);
    return typeof value === 'number' ? -value : undefined;
  }
  if (tree.op !== 'value') return undefined;
  const value = tree.args;
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : undefined;
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  return value === null || typeof value === 'string' || typeof value === 'boolean' ? value : undefined;
}
