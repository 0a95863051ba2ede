import type { Effect } from './catalogue';
import { strictest } from './effect-of';

/** Words that start a statement or a clause which does more than read, in whatever dialect. */
const words: readonly (readonly [Effect, RegExp])[] = [
  ['grant', /\b(?:grant|revoke|(?:create|alter|drop)\s+(?:user|role|login|policy)|set\s+(?:session\s+authorization|role)|sp_addrolemember|add\s+member|reassign\s+owned|security\s+definer)\b/],
  ['destructive', /\b(?:delete|drop|truncate|alter|replace\s+into|merge|rename|shutdown|kill|purge|vacuum\s+full|reset\s+master|restore|detach|overwrite)\b/],
  ['execute', /\b(?:exec|execute|call|do|copy|load|load_file|outfile|dumpfile|xp_\w+|sp_\w+|prepare|begin|commit|rollback|attach|pragma|handler|bulk|openrowset|dblink\w*|pg_\w+|lo_\w+|nextval|setval|set_config|utl_\w+|dbms_\w+|script|import|export|install)\b/],
  ['write', /\b(?:insert|update|upsert|create|into|set|comment|refresh|reindex|analyze|vacuum|lock|listen|notify|cluster|declare|put|unload)\b/],
];

/** A query that no parser understood: what its words could mean at worst, and the tables that seem to be named. Nothing is set aside, comments and literals included. */
export function guessQuery(query: string): { readonly effect: Effect; readonly tables: readonly string[] } {
  // A version comment runs where it is read, and `DROP/**/TABLE` is two words.
  const text = query.slice(0, longestGuess).normalize('NFKC').toLowerCase().replace(/\/\*m?!?[0-9]*|\*\//g, ' ');
  const found = words.filter(([, pattern]) => pattern.test(text)).map(([effect]) => effect);
  const tables = new Set<string>();
  for (const match of text.matchAll(/\b(?:from|join|into|update|table|on|using|truncate|copy)\s{1,20}(?:only\s{1,20}|if\s{1,20}exists\s{1,20})?([["`]?[\p{L}_][\p{L}\p{N}_$]{0,127}[\]"`]?(?:\.[["`]?[\p{L}_][\p{L}\p{N}_$]{0,127}[\]"`]?){0,3})/gu)) {
    const name = (match[1] ?? '').replace(/[["`\]]/g, '').replace(/^public\./, '');
    if (!nouns.has(name)) tables.add(name);
    if (tables.size >= mostTables) break;
  }
  return { effect: found.length === 0 ? 'execute' : strictest(found), tables: [...tables].sort() };
}

const longestGuess = 20_000;
const mostTables = 50;
/** What may stand where a table stands, and is none. */
const nouns = new Set(['select', 'table', 'outfile', 'dumpfile', 'values', 'set', 'from', 'where', 'only', 'lateral', 'conflict', 'update', 'delete', 'stdin', 'program', 'the', 'a']);
