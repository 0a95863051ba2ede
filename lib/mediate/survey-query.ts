import type { Statement } from 'pgsql-ast-parser';

import type { Effect } from './catalogue';
import { isPureSqlFunction } from './sql-functions';

/** What a parsed statement does. `whole`: nothing in it is beyond what its text says. */
export type QuerySurvey = { readonly tables: ReadonlySet<string>; readonly effects: ReadonlySet<Effect>; readonly whole: boolean };

/**
 * Walks the tree as plain values, so that no kind of node is missed because a visitor forgot it. A name in FROM is a table unless a
 * WITH that is in scope *there* defines it: `WITH t AS (SELECT * FROM t)` reads the table t, and `public.t` is never the WITH's.
 */
export function surveyQuery(statement: Statement): QuerySurvey {
  const survey = new Survey();
  survey.walk(statement, new Set());
  return survey;
}

type Node = Readonly<Record<string, unknown>>;

class Survey {
  readonly tables = new Set<string>();
  readonly effects = new Set<Effect>();
  whole = true;

  walk(value: unknown, scope: ReadonlySet<string>): void {
    if (Array.isArray(value)) for (const item of value as readonly unknown[]) this.walk(item, scope);
    if (!isNode(value)) return;
    const { type } = value;
    if (type === 'with' || type === 'with recursive') {
      this.with(value, scope);
      return;
    }
    if (typeof type === 'string') this.node(type, value, scope);
    for (const name of Object.keys(value)) this.walk(value[name], scope);
  }

  private with(node: Node, outer: ReadonlySet<string>): void {
    this.effects.add('read');
    let scope = outer;
    const bindings = Array.isArray(node.bind) && node.type === 'with' ? (node.bind as readonly unknown[]) : [node];
    for (const binding of bindings) {
      if (!isNode(binding)) continue;
      const name = nameOf(binding.alias);
      const wider = name === undefined ? scope : new Set([...scope, name]);
      this.walk(node.type === 'with' ? binding.statement : binding.bind, node.type === 'with' ? scope : wider);
      scope = wider;
    }
    this.walk(node.in, scope);
  }

  private node(type: string, node: Node, scope: ReadonlySet<string>): void {
    const effect = effectOfStatement(type);
    if (effect !== undefined) this.effects.add(effect);
    if (type === 'table') this.table(node.name, scope);
    if (type === 'call' && !isPureCall(node.function)) {
      // What a function does, only the server knows.
      this.whole = false;
      this.effects.add('execute');
    }
    // Code in another language, or a text that a statement runs later.
    if (type === 'do' || type === 'create function' || type === 'prepare' || type === 'set' || type === 'create extension') this.whole = false;
    if (effect !== undefined && effect !== 'read') for (const key of written) this.table(node[key], none);
  }

  private table(name: unknown, scope: ReadonlySet<string>): void {
    for (const one of Array.isArray(name) ? (name as readonly unknown[]) : [name]) {
      const table = nameOf(one);
      if (table === undefined || !isNode(one)) continue;
      const { schema } = one;
      if (schema === undefined && scope.has(table)) continue;
      // A dot inside quotes would pass for a schema, and what is no word for something else.
      if (![table, schema ?? 'public'].every((part) => typeof part === 'string' && /^[\p{L}\p{N}_$ -]+$/u.test(part))) this.whole = false;
      this.tables.add((typeof schema === 'string' && schema !== 'public' ? `${schema}.${table}` : table).toLowerCase());
    }
  }
}

const none: ReadonlySet<string> = new Set();
/** Where statements that change something name it. */
const written = ['into', 'table', 'tables', 'names', 'name', 'from'] as const;

/** Undefined: no statement, only a part of one. Kinds that are not listed are taken for the worst that a statement can be. */
function effectOfStatement(type: string): Effect | undefined {
  if (/^(?:select|union|union all|values|show)$/.test(type)) return 'read';
  if (/^(?:insert|update|no key update|share|key share|create|comment|refresh|set$|set (?:timezone|names)|start transaction|begin|commit|rollback)/.test(type)) return 'write';
  if (/^(?:delete|truncate|drop|alter|rename)/.test(type)) return 'destructive';
  if (/^(?:do|prepare|deallocate|raise|tablespace)$/.test(type)) return 'execute';
  return undefined;
}

function isPureCall(callee: unknown): boolean {
  const name = nameOf(callee);
  if (name === undefined || !isNode(callee)) return false;
  // A schema can hold another function of the same name.
  return (callee.schema === undefined || callee.schema === 'pg_catalog') && isPureSqlFunction(name);
}

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && !Array.isArray(value);

function nameOf(value: unknown): string | undefined {
  return isNode(value) && typeof value.name === 'string' ? value.name : undefined;
}
