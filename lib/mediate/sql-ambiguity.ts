/**
 * True where two servers would disagree about where a literal, a comment, a name or a statement ends, or run what others skip. The
 * text is cut as PostgreSQL cuts it; whatever MySQL, SQLite, SQL Server or Oracle would cut otherwise is not for us to choose.
 */
export function isAmbiguousSql(query: string): boolean {
  // Backslashes escape in some servers and in some settings only; a lone carriage return ends a line for some.
  if (/[\\\0]|\r(?!\n)/.test(query)) return true;
  for (let i = 0; i < query.length; ) {
    const end = endOfPiece(query, i);
    if (end === undefined) return true;
    i = end;
  }
  return false;
}

/** Where the literal, comment, name or character that starts here ends; undefined: that is in dispute. */
function endOfPiece(query: string, at: number): number | undefined {
  const two = query.slice(at, at + 2);
  const character = query.charAt(at);
  if (two === '--') return /[ \t\r\n]/.test(query.charAt(at + 2) || ' ') ? lineEnd(query, at) : undefined;
  if (two === '/*') return commentEnd(query, at);
  if (character === "'") return closing(query, at, character);
  if (character === '"') return nameEnd(query, at);
  if (character === '[') return bracketIsPlain(query, at) ? at + 1 : undefined;
  // Backticks quote and # comments in MySQL; $$ and $x$ quote in PostgreSQL.
  if (character === '`' || character === '#' || (character === '$' && !/[0-9]/.test(query.charAt(at + 1)))) return undefined;
  const word = /^[A-Za-z_]+/.exec(query.slice(at, at + 64))?.[0];
  if (word !== undefined) {
    const next = query.charAt(at + word.length);
    // A letter before a literal may change how it is read: E'', U&'', q'[]', _utf8'…'.
    if ((next === "'" && !typed.test(word)) || (/^u$/i.test(word) && next === '&')) return undefined;
    return at + word.length;
  }
  return /[\t\n\r -~\p{L}\p{N}\p{M}]/u.test(String.fromCodePoint(query.codePointAt(at) ?? 0)) ? at + 1 : undefined;
}

/** Types whose literals are a word and a quoted text; the text is cut as any other. */
const typed = /^(?:date|time|timestamp|timestamptz|interval|numeric|boolean|in|like|ilike|and|or|then|else|when|as|is|select|by|from|to|between|on|not|escape|any|return|returning|values)$/i;

function lineEnd(query: string, at: number): number {
  const end = query.indexOf('\n', at);
  return end < 0 ? query.length : end + 1;
}

/** Version comments run in MySQL and MariaDB; nested ones end at different places. */
function commentEnd(query: string, at: number): number | undefined {
  const close = query.indexOf('*/', at + 2);
  const nested = query.indexOf('/*', at + 2);
  if (close < 0 || (nested >= 0 && nested < close) || /^M?[!+]/.test(query.slice(at + 2, at + 4))) return undefined;
  return close + 2;
}

function closing(query: string, at: number, quote: string): number | undefined {
  for (let i = at + 1; i < query.length; i++) {
    if (query.charAt(i) !== quote) continue;
    if (query.charAt(i + 1) !== quote) return i + 1;
    i++;
  }
  return undefined;
}

/** Parsers have trimmed quoted names: only those that nobody has to quote for more than their case or a blank inside are read. */
function nameEnd(query: string, at: number): number | undefined {
  const end = closing(query, at, '"');
  return end !== undefined && /^[\p{L}\p{N}_$-]+(?: [\p{L}\p{N}_$-]+)*$/u.test(query.slice(at + 1, end - 1)) ? end : undefined;
}

/** SQL Server and SQLite read `[…]` as one name up to the first `]`: it must close outside any literal, and stand alone. */
function bracketIsPlain(query: string, at: number): boolean {
  const close = query.indexOf(']', at);
  if (close < 0 || query.charAt(close + 1) === ']') return false;
  return !/['"]|--|\/\*/.test(query.slice(at, close));
}
