import type { Inspection } from './inspection';

/** Shapes that injected SQL has and written SQL hardly ever: a literal that was closed early, a second statement, a comparison that is always true. */
const shapes: readonly { readonly pattern: RegExp; readonly detail: string }[] = [
  { pattern: /;\s{0,40}(?:drop|delete|update|insert|alter|create|truncate|grant|revoke|exec|execute|shutdown|copy|set|commit|merge|call|do)\b/, detail: 'A second statement follows the first.' },
  { pattern: /'\s{0,20}(?:or|and)\s{1,20}(?:'[^']{0,40}'\s{0,10}=\s{0,10}'[^']{0,40}|[0-9]{1,9}\s{0,10}=\s{0,10}[0-9]{1,9})/, detail: 'A comparison is always true.' },
  { pattern: /\bor\s{1,20}(?:1\s{0,10}=\s{0,10}1|true)\b/, detail: 'A comparison is always true.' },
  { pattern: /'\s{0,20}(?:--|#|\/\*)/, detail: 'A literal ends and the rest is commented out.' },
  { pattern: /\/\*m?!/, detail: 'A comment that some servers run.' },
  { pattern: /\b(?:pg_read_(?:binary_)?file|pg_ls_dir|lo_import|lo_export|load_file|xp_cmdshell|dblink|pg_sleep|benchmark|utl_http|waitfor\s{1,20}delay)\b/, detail: 'A function that reaches outside the data.' },
  { pattern: /\binto(?:\s|\/\*\*\/){1,20}(?:outfile|dumpfile)\b|\bcopy\b[^;]{0,400}\b(?:to|from)\s{1,20}(?:program|')/, detail: 'It reads or writes files of the server.' },
];

/** For parameters that reach a database. Literals are set aside first: a word that is only data is no command. */
export function inspectSql(text: string): Inspection {
  const lower = text.slice(0, 16_384).toLowerCase();
  const code = lower.replace(/'(?:[^']|'')*'/g, "''");
  const found = shapes.find(({ pattern }) => pattern.test(code));
  return found && { guard: 'sql-injection', verdict: 'block', detail: found.detail };
}
