import type { Path } from '../diagnostics';

type Frame = { readonly map: boolean; index: number; key: string | null; readonly values: Record<string, string> };

type FlowState = { readonly path: Path; readonly at: 'key' | 'value'; readonly typed: string; readonly quoted: boolean; readonly around: readonly Readonly<Record<string, string>>[] };

/** Follows YAML's flow style, which JSON is a part of, character by character, whatever is missing behind. */
export class FlowScan {
  private readonly frames: Frame[] = [];
  private word = '';
  private quote = '';
  private ended = false;
  private comment = false;
  private done = false;
  private before = '';

  /** After a closing quote, where only a separator may stand. */
  get afterQuote(): boolean {
    return this.ended && this.quote === '';
  }

  get closed(): boolean {
    return this.done;
  }

  read(text: string): void {
    for (const char of text) {
      if (this.done) return;
      this.take(char);
      this.before = char;
    }
  }

  /** Where the next character would stand. */
  state(): FlowState {
    const path: (string | number)[] = [];
    for (const { map, key, index } of this.frames.slice(0, -1)) path.push(map ? (key ?? '') : index);
    const frame = this.frames.at(-1);
    const around = this.frames.map(({ values }) => values);
    if (!frame) return { path, at: 'value', typed: '', quoted: false, around };
    const typed = this.quote === '' ? this.word.trimStart() : this.word;
    const inKey = frame.map && frame.key === null;
    if (!inKey) path.push(frame.map ? (frame.key ?? '') : frame.index);
    return { path, at: inKey ? 'key' : 'value', typed, quoted: this.quote !== '', around };
  }

  private take(char: string): void {
    if (this.comment) {
      this.comment = char !== '\n';
      return;
    }
    if (this.quote !== '') return this.inQuotes(char);
    switch (char) {
      case '{':
      case '[':
        this.frames.push({ map: char === '{', index: 0, key: null, values: {} });
        this.word = '';
        return;
      case '}':
      case ']':
        this.endOfValue();
        this.frames.pop();
        this.done = this.frames.length === 0;
        return;
      case ',':
        this.endOfValue();
        return this.next();
      case ':':
        return this.colon();
      case '#':
        this.comment = /\s/.test(this.before);
        if (!this.comment) this.word += char;
        return;
      case '"':
      case "'":
        if (this.word.trim() === '') {
          this.quote = char;
          this.word = '';
          return;
        }
        this.word += char;
        return;
      case '\n':
        this.word = this.word.trim() === '' ? '' : `${this.word} `;
        return;
      default:
        // The colon of a plain key is followed by a space; one within a word belongs to it.
        this.word += char;
    }
  }

  private inQuotes(char: string): void {
    if (char === this.quote && !(this.quote === '"' && this.before === '\\')) {
      this.quote = '';
      this.ended = true;
    } else this.word += char;
  }

  private colon(): void {
    const frame = this.frames.at(-1);
    if (frame?.map === true && frame.key === null) {
      frame.key = this.word.trim();
      this.word = '';
      this.ended = false;
    } else this.word += ':';
  }

  private endOfValue(): void {
    const frame = this.frames.at(-1);
    const word = this.word.trim();
    if (frame?.map === true) {
      const key = frame.key ?? word;
      if (key !== '') frame.values[key] = frame.key === null ? '' : word;
    }
    this.word = '';
    this.ended = false;
  }

  private next(): void {
    const frame = this.frames.at(-1);
    if (!frame) return;
    if (frame.map) frame.key = null;
    else frame.index += 1;
  }
}
