/** The options that a program knows before its operands, by how many words they take. Others could take the next word, or run it. */
export type OptionSpec = {
  readonly flags: ReadonlySet<string>;
  readonly values: ReadonlySet<string>;
  /** Takes a value only when one is attached: `-i5`, `--color=never`. */
  readonly optional: ReadonlySet<string>;
  /** Known, but what it makes of the rest is not to be read here: another folder, another shell, a program in a text. */
  readonly risky: ReadonlySet<string>;
};

export type ReadOptions = {
  /** Index of the first word that is no option. */
  readonly next: number;
  /** False: an option is unknown or risky. */
  readonly plain: boolean;
  /** In the order they stand, with the value they take. */
  readonly options: readonly { readonly name: string; readonly value?: string }[];
};

/** `options('iv u: k? S:! --null --unset:')`: flags, values (`:`), attached values (`?`), risky ones (`!`). */
export function optionsOf(notation: string): OptionSpec {
  const spec = { flags: new Set<string>(), values: new Set<string>(), optional: new Set<string>(), risky: new Set<string>() };
  for (const token of notation.split(/\s+/).filter((one) => one !== '')) {
    const [, body = '', kind = '', risk = ''] = /^(.*?)([:?]?)(!?)$/.exec(token) ?? [];
    const names = body.startsWith('--') ? [body] : [...body].map((letter) => `-${letter}`);
    const set = kind === ':' ? spec.values : kind === '?' ? spec.optional : spec.flags;
    for (const name of names) {
      set.add(name);
      if (risk === '!') spec.risky.add(name);
    }
  }
  return spec;
}

/** Reads options as getopt does, from `from` to the first operand; `--` ends them. Long options are not completed: a shortened one is unknown. */
export function readOptions(words: readonly string[], spec: OptionSpec, from = 0): ReadOptions {
  const reader = new Reader(words, spec, from);
  while (reader.step());
  return reader;
}

class Reader implements ReadOptions {
  readonly options: { readonly name: string; readonly value?: string }[] = [];
  plain = true;

  constructor(
    private readonly words: readonly string[],
    private readonly spec: OptionSpec,
    public next: number,
  ) {}

  /** False: the options end here. */
  step(): boolean {
    const word = this.words[this.next];
    if (word?.startsWith('-') !== true || word === '-') return false;
    this.next += 1;
    if (word === '--') return false;
    if (word.startsWith('--')) this.long(word);
    else this.cluster(word);
    return true;
  }

  private long(word: string): void {
    const equals = word.indexOf('=');
    const name = equals < 0 ? word : word.slice(0, equals);
    const attached = equals < 0 ? undefined : word.slice(equals + 1);
    if (this.spec.values.has(name)) this.take(name, attached ?? this.words[this.next++]);
    else if (this.spec.optional.has(name) || (this.spec.flags.has(name) && attached === undefined)) this.take(name, attached);
    else this.plain = false;
  }

  private cluster(word: string): void {
    for (let i = 1; i < word.length; i++) {
      const name = `-${word.charAt(i)}`;
      const rest = word.slice(i + 1);
      if (this.spec.flags.has(name)) {
        this.take(name, undefined);
        continue;
      }
      if (this.spec.values.has(name)) this.take(name, rest === '' ? this.words[this.next++] : rest);
      else if (this.spec.optional.has(name)) this.take(name, rest === '' ? undefined : rest);
      else this.plain = false;
      return;
    }
  }

  private take(name: string, value: string | undefined): void {
    this.options.push(value === undefined ? { name } : { name, value });
    if (this.spec.risky.has(name) || (value === undefined && this.spec.values.has(name))) this.plain = false;
  }
}
