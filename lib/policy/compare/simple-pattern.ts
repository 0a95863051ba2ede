/** What a regular expression asks of a text, where it asks for nothing but words: a beginning, an end, a part. */
export type SimplePattern = { readonly starts: boolean; readonly ends: boolean; readonly word: string };

/** Null: it asks for more than that. `source` is RE2 syntax. */
export function simplePattern(source: string): SimplePattern | null {
  const starts = source.startsWith('^');
  const ends = source.endsWith('$') && !source.endsWith('\\$');
  const inner = source.slice(starts ? 1 : 0, ends ? -1 : undefined);
  let word = '';
  for (let i = 0; i < inner.length; i++) {
    const character = inner.charAt(i);
    const next = inner.charAt(i + 1);
    if (character === '\\') {
      if (!/[^A-Za-z0-9]/.test(next)) return null;
      word += next;
      i += 1;
    } else if (/[.*+?()[\]{}|^$]/.test(character)) return null;
    else word += character;
  }
  return word === '' ? null : { starts, ends, word };
}
