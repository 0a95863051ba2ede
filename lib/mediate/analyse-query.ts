import { astVisitor, parse, type Statement } from 'pgsql-ast-parser';

import { isPureSqlFunction } from './sql-functions';

/** What a query would do. `readsOnly` is false as soon as anything in it, however nested, could write. */
export type QueryAnalysis = { readonly tables: readonly string[]; readonly readsOnly: boolean };

/** Longer queries are opaque: the parser's time grows with length and nesting, and every call waits for it. */
const longestQuery = 4_000;
const deepestParentheses = 60;
/** Words, numbers and signs. `1+1+1…` nests without parentheses, deeper than a stack is on some machines. */
const mostParts = 1_000;

/**
 * Parses one SQL statement (PostgreSQL's grammar). Undefined means opaque: not parsable, more than one statement, a
 * function that is not known to only compute, or a text that other servers would cut differently (version comments,
 * backslashes in literals, nested comments, `--` without a blank).
 */
export function analyseQuery(query: string): QueryAnalysis | undefined {
  if (query.length > longestQuery) return undefined;
  const known = analysed.get(query);
  if (known) return known.analysis;
  const analysis = analyse(query);
  if (analysed.size >= mostRemembered) analysed.clear();
  analysed.set(query, { analysis });
  return analysis;
}

/**
 * The same text always gives the same analysis, and one action is analysed several times (proposed, modified, redeemed)
 * at about a millisecond each. Forgetting it all changes nothing but time.
 */
const analysed = new Map<string, { readonly analysis: QueryAnalysis | undefined }>();
const mostRemembered = 500;

function analyse(query: string): QueryAnalysis | undefined {
  if (isAmbiguous(query) || nesting(query) > deepestParentheses || partsOf(query) > mostParts) return undefined;
  let statements: readonly Statement[];
  try {
    statements = parse(query);
  } catch {
    // The parser throws on whatever it does not know: that is what opaque means.
    return undefined;
  }
  const statement = statements[0];
  if (!statement || statements.length !== 1) return undefined;
  const seen = { kinds: new Set<string>(), pure: true };
  survey(statement, seen);
  if (!seen.pure) return undefined;
  return { tables: tablesOf(statement), readsOnly: reading.has(statement.type) && ![...seen.kinds].some((kind) => writing.test(kind)) };
}

const reading = new Set(['select', 'union', 'union all', 'with', 'with recursive', 'values', 'show']);
const writing = /^(?:insert|update|delete|truncate|drop|create|alter|do|prepare|deallocate|begin|commit|rollback|start transaction|set|comment|raise|refresh|tablespace)/;

/** Places where two servers would disagree about where a literal, a comment or a statement ends. */
function isAmbiguous(query: string): boolean {
  if (/[\\\0]|--(?=[^\s])|\/\*M?!/.test(query)) return true;
  for (let open = query.indexOf('/*'); open >= 0; ) {
    const close = query.indexOf('*/', open + 2);
    const next = query.indexOf('/*', open + 2);
    if (close < 0 || (next >= 0 && next < close)) return true;
    open = next;
  }
  return false;
}

const partsOf = (query: string): number => query.match(/[\p{L}\p{N}_.]+|[^\s\p{L}\p{N}_.]/gu)?.length ?? 0;

function nesting(query: string): number {
  let depth = 0;
  let deepest = 0;
  for (let i = 0; i < query.length; i++) {
    const character = query[i];
    if (character === '(' || character === '[') deepest = Math.max(deepest, ++depth);
    else if (character === ')' || character === ']') depth--;
  }
  return deepest;
}

/** Walks the tree as plain values, so that no kind of node is missed because a visitor forgot it. */
function survey(node: unknown, seen: { readonly kinds: Set<string>; pure: boolean }): void {
  if (typeof node !== 'object' || node === null) return;
  if (Array.isArray(node)) {
    for (const item of node as readonly unknown[]) survey(item, seen);
    return;
  }
  if ('type' in node && typeof node.type === 'string') {
    seen.kinds.add(node.type);
    if (node.type === 'call' && 'function' in node && !isPureCall(node.function)) seen.pure = false;
  }
  for (const value of Object.values(node)) survey(value, seen);
}

function isPureCall(callee: unknown): boolean {
  if (typeof callee !== 'object' || callee === null || !('name' in callee) || typeof callee.name !== 'string') return false;
  // A schema can hold another function of the same name.
  return !('schema' in callee && callee.schema !== undefined && callee.schema !== 'pg_catalog') && isPureSqlFunction(callee.name);
}

function tablesOf(statement: Statement): readonly string[] {
  const tables = new Set<string>();
  const named = new Set<string>();
  const visitor = astVisitor((mapper) => ({
    tableRef: (table) => {
      const schema = table.schema?.toLowerCase();
      tables.add(schema === undefined || schema === 'public' ? table.name.toLowerCase() : `${schema}.${table.name.toLowerCase()}`);
    },
    with: (query) => {
      for (const one of query.bind) named.add(one.alias.name.toLowerCase());
      mapper.super().with(query);
    },
    withRecursive: (query) => {
      named.add(query.alias.name.toLowerCase());
      mapper.super().withRecursive(query);
    },
  }));
  visitor.statement(statement);
  return [...tables].filter((table) => !named.has(table)).sort();
}
