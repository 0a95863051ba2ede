/** Options that name a file to write, also shortened: GNU and Git take every prefix that is not ambiguous. */
const options: ReadonlyMap<string, RegExp> = new Map<string, RegExp>([
  ['git', /^(?:--outp(?:u|ut)?(?:=|$)|--output-d[a-z]*(?:=|$))/],
  ...['sort', 'gsort'].map((name) => [name, /^(?:-[a-zA-Z]*o|--o[a-z]*(?:=|$))/] as const),
  ['tree', /^-o$/],
  ['find', /^-(?:fprint0?|fprintf|fls)$/],
  ['curl', /^(?:-[a-zA-Z]*[oDc]|--(?:output(?:-dir)?|dump-header|cookie-jar|trace|trace-ascii|stderr|etag-save|hsts|alt-svc|libcurl)(?:=|$))/],
  ['wget', /^(?:-[a-zA-Z]*[OoaP]|--(?:output-document|output-file|append-output|directory-prefix|save-cookies|warc-file|rejected-log|hsts-file)(?:=|$))/],
  ['openssl', /^-(?:out|keyout|writerand)$/],
  ['less', /^(?:-[a-zA-Z]*[oO]|--(?:log-file|LOG-FILE)(?:=|$))/],
  ['gpg', /^(?:-[a-z]*o|--output(?:=|$))/],
  ...['pandoc', 'gcc', 'g++', 'cc', 'clang', 'ld', 'rustc', 'dot'].map((name) => [name, /^(?:-o|--output(?:=|$))/] as const),
  ['time', /^(?:-o|--output(?:=|$))/],
]);

/** The files that a program writes because an option says so, which else only shows something. */
export function writtenByOptions(name: string, words: readonly string[]): readonly string[] {
  const pattern = name === 'git' && /^(?:archive|format-patch)$/.test(words[0] ?? '') ? /^(?:-o|--outp[a-z-]*(?:=|$))/ : options.get(name);
  return [...byOption(pattern, words), ...byOperand(name, words)].filter((file) => file !== '' && file !== '-');
}

function byOption(pattern: RegExp | undefined, words: readonly string[]): readonly string[] {
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
  return files;
}

/** Operands that are written: what `sed -i` edits, where `uniq` and `xxd -r` put their result, what `dd` fills. */
function byOperand(name: string, words: readonly string[]): readonly string[] {
  const operands = words.filter((word) => !word.startsWith('-'));
  switch (name) {
    case 'sed':
    case 'gsed':
    case 'perl':
    case 'ruby':
      return words.some((word) => /^(?:-[a-zA-Z]*i|--in-place)/.test(word)) ? operands.slice(words.some((word) => /^(?:-[a-zA-Z]*e|--expression)/.test(word)) ? 0 : 1) : [];
    case 'uniq':
      return operands.slice(1);
    case 'xxd':
      return operands.slice(1);
    case 'dd':
      return words.filter((word) => word.startsWith('of=')).map((word) => word.slice(3));
    default:
      return [];
  }
}
