/**
 * Some texts that a regular expression (RE2) may match, found by reading it once: one for each branch, repetitions taken as often as
 * they must be, and once. Whether they match is for the expression itself to say; of what is not understood nothing is made.
 */
export function samplePattern(source: string): readonly string[] {
  const reader = new Reader(source);
  const found = reader.branches();
  return reader.isDone() ? [...new Set(found)].slice(0, mostSamples) : [];
}

const mostSamples = 12;
const classes: Readonly<Record<string, string>> = { d: '7', w: 'w', s: ' ', D: 'x', W: '-', S: 'x', n: '\n', t: '\t' };

class Reader {
  private at = 0;

  constructor(private readonly text: string) {}

  isDone = (): boolean => this.at >= this.text.length;

  branches(): string[] {
    const found = this.branch();
    while (this.text.charAt(this.at) === '|') {
      this.at += 1;
      found.push(...this.branch());
    }
    return found.slice(0, mostSamples);
  }

  private branch(): string[] {
    let found = [''];
    while (!this.isDone() && !'|)'.includes(this.text.charAt(this.at))) {
      const atoms = this.repeated(this.atom());
      found = found.flatMap((before) => atoms.map((atom) => before + atom)).slice(0, mostSamples);
    }
    return found;
  }

  private atom(): string[] {
    const character = this.text.charAt(this.at++);
    if (character === '(') {
      const group = /^\?(?:P?<\w+>|[a-zA-Z-]*:)/.exec(this.text.slice(this.at));
      const flags = /^\?[a-zA-Z-]+\)/.exec(this.text.slice(this.at));
      if (flags) {
        this.at += flags[0].length;
        return [''];
      }
      this.at += group?.[0].length ?? 0;
      const inside = this.branches();
      this.at += 1;
      return inside;
    }
    if (character === '[') return [this.oneOfClass()];
    if (character === '\\') {
      const escaped = this.text.charAt(this.at++);
      return 'bBAzZ'.includes(escaped) ? [''] : [classes[escaped] ?? escaped];
    }
    return character === '^' || character === '$' ? [''] : [character === '.' ? 'x' : character];
  }

  private oneOfClass(): string {
    const end = this.text.indexOf(']', this.at + (this.text.charAt(this.at) === ']' ? 1 : 0));
    const inside = this.text.slice(this.at, end < 0 ? undefined : end);
    this.at = end < 0 ? this.text.length : end + 1;
    if (!inside.startsWith('^')) return inside.startsWith('\\') ? (classes[inside.charAt(1)] ?? inside.charAt(1)) : inside.charAt(0);
    return ['x', '7', ' ', '-', '/'].find((one) => !inside.includes(one)) ?? '~';
  }

  private repeated(atoms: string[]): string[] {
    const repetition = /^(?:[*+?]|\{(\d+)(?:,\d*)?\})\??/.exec(this.text.slice(this.at));
    if (!repetition) return atoms;
    this.at += repetition[0].length;
    if (repetition[1] !== undefined) return atoms.map((atom) => atom.repeat(Math.min(Number(repetition[1]), 64)));
    return repetition[0].startsWith('+') ? atoms : ['', ...atoms];
  }
}
