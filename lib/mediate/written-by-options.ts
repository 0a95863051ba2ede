/** Options that name a file to write, also shortened: GNU and Git take every prefix that is not ambiguous. */
const options: ReadonlyMap<string, RegExp> = new Map([
  ['git', /^--outp(?:u|ut)?(?:=|$)/],
  ...['sort', 'gsort'].map((name) => [name, /^(?:-[a-zA-Z]*o|--o[a-z]*(?:=|$))/] as const),
  ['tree', /^-o$/],
  ['find', /^-(?:fprint0?|fprintf|fls)$/],
]);

/** The files that a program writes because an option says so, which else only shows something. */
export function writtenByOptions(name: string, words: readonly string[]): readonly string[] {
  const pattern = options.get(name);
  if (!pattern) return [];
  const files: string[] = [];
  for (let i = 0; i < words.length; i++) {
    const word = words[i] ?? '';
    if (word === '--') break;
    const named = pattern.exec(word)?.[0];
    if (named === undefined) continue;
    const attached = word.slice(named.length);
    files.push(attached === '' ? (words[++i] ?? '') : attached);
  }
  return files.filter((file) => file !== '');
}
