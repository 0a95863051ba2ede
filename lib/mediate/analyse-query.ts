import { parse, type Statement } from 'pgsql-ast-parser';

import type { Effect } from './catalogue';
import { strictest } from './effect-of';
import { guessQuery } from './guess-query';
import { isAmbiguousSql } from './sql-ambiguity';
import { surveyQuery } from './survey-query';

/**
 * What a query would do. `tables` are those it reads or writes, lower case, without `public.`; `effect` is the strictest of anything in
 * it, however nested. Not `whole`: it may do more than that, and what stands here is the worst that its words could mean.
 */
export type QueryAnalysis = { readonly tables: readonly string[]; readonly effect: Effect; readonly whole: boolean };

/** Longer queries are not parsed: the parser's time grows with length and nesting, and every call waits for it. */
const longestQuery = 4_000;
const deepestParentheses = 60;
/** Words, numbers and signs. `1+1+1…` nests without parentheses, deeper than a stack is on some machines. */
const mostParts = 1_000;

/**
 * Parses one SQL statement (PostgreSQL's grammar). Not whole: not parsable, more than one statement, a function that is not known to only
 * compute, or a text that other servers would cut differently.
 */
export function analyseQuery(query: string): QueryAnalysis {
  const known = analysed.get(query);
  if (known) return known;
  const analysis = analyse(query);
  if (query.length > longestQuery) return analysis;
  if (analysed.size >= mostRemembered) analysed.clear();
  analysed.set(query, analysis);
  return analysis;
}

/**
 * The same text always gives the same analysis, and one action is analysed several times (proposed, modified, redeemed)
 * at about a millisecond each. Forgetting it all changes nothing but time.
 */
const analysed = new Map<string, QueryAnalysis>();
const mostRemembered = 500;

function analyse(query: string): QueryAnalysis {
  const parsable = query.length <= longestQuery && nesting(query) <= deepestParentheses && partsOf(query) <= mostParts;
  const statements = parsable && !isAmbiguousSql(query) ? parsed(query) : undefined;
  if (!statements) return { ...guessQuery(query), whole: false };
  const surveys = statements.map(surveyQuery);
  const effect = strictest(surveys.flatMap((survey) => [...survey.effects]));
  const tables = [...new Set(surveys.flatMap((survey) => [...survey.tables]))].sort();
  const whole = surveys.length === 1 && surveys.every((survey) => survey.whole);
  return { tables, effect: whole ? effect : strictest([effect, guessQuery(query).effect]), whole };
}

/** Undefined: the parser throws on whatever it does not know, and nothing is not a query. */
function parsed(query: string): readonly Statement[] | undefined {
  try {
    const statements = parse(query);
    return statements.length === 0 ? undefined : statements;
  } catch {
    return undefined;
  }
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
