import type { ErrorCode } from './error-codes';
import type { Json } from './json';
import { exactNumber } from './parse-exact-number';
import { fail, ok, type Fault, type Result } from './result';

class JsonFault extends Error {
  constructor(
    readonly code: ErrorCode,
    readonly at: number,
    readonly path: string,
    message: string,
    readonly fix?: string,
  ) {
    super(message);
  }
}

/**
 * The strict parser itself, a character at a time: knows where it is, so it can say line, column, path and fix.
 * Only texts that the fast path could not vouch for come here.
 */
export function parseJsonSlowly(text: string, limits: { readonly depth: number; readonly nodes: number }): Result<Json> {
  try {
    return ok(new SlowParser(text, limits.depth, limits.nodes).whole());
  } catch (cause) {
    if (!(cause instanceof JsonFault)) throw cause;
    const before = text.slice(0, cause.at);
    const line = before.split('\n').length;
    const column = cause.at - before.lastIndexOf('\n');
    const fix: Pick<Fault, 'fix'> = cause.fix === undefined ? {} : { fix: cause.fix };
    return fail(cause.code, `${cause.message} (line ${String(line)}, column ${String(column)})`, {
      ...fix,
      issues: [{ path: cause.path, message: cause.message, line, column, ...fix }],
    });
  }
}

const escapes: Readonly<Record<string, string>> = { '"': '"', '\\': '\\', '/': '/', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };

class SlowParser {
  private at = 0;
  private nodes = 0;

  constructor(
    private readonly text: string,
    private readonly maxDepth: number,
    private readonly maxNodes: number,
  ) {}

  whole(): Json {
    const value = this.value('', 0);
    this.space();
    if (this.at < this.text.length) throw this.invalid('', 'There is something after the end of the value.');
    return value;
  }

  private value(path: string, depth: number): Json {
    this.space();
    if (++this.nodes > this.maxNodes) throw this.fault('too_large', path, `There are more than ${String(this.maxNodes)} values.`);
    switch (this.text[this.at]) {
      case '{':
        return this.object(path, this.deeper(path, depth));
      case '[':
        return this.array(path, this.deeper(path, depth));
      case '"':
        return this.string(path);
      case 't':
        return this.word('true', true, path);
      case 'f':
        return this.word('false', false, path);
      case 'n':
        return this.word('null', null, path);
      case undefined:
        throw this.invalid(path, 'The text ends where a value is expected.');
      default:
        return this.number(path);
    }
  }

  private object(path: string, depth: number): Json {
    const members: Record<string, Json> = {};
    this.at++;
    this.space();
    if (this.take('}')) return members;
    for (;;) {
      this.space();
      const start = this.at;
      if (this.text[start] !== '"') throw this.invalid(path, 'A key in double quotes is expected here.');
      const name = this.string(path);
      const inner = path === '' ? name : `${path}.${name}`;
      if (Object.hasOwn(members, name)) {
        throw new JsonFault('duplicate_key', start, inner, `The key ${JSON.stringify(name)} is there twice.`, 'Keep one of them.');
      }
      this.space();
      if (!this.take(':')) throw this.invalid(inner, 'A colon is expected after the key.');
      // Assigning `__proto__` would set the prototype; defining it makes an ordinary key.
      Object.defineProperty(members, name, { value: this.value(inner, depth), writable: true, enumerable: true, configurable: true });
      this.space();
      if (this.take('}')) return members;
      if (!this.take(',')) throw this.invalid(path, 'A comma or } is expected here.');
    }
  }

  private array(path: string, depth: number): Json {
    const items: Json[] = [];
    this.at++;
    this.space();
    if (this.take(']')) return items;
    for (;;) {
      items.push(this.value(`${path}[${String(items.length)}]`, depth));
      this.space();
      if (this.take(']')) return items;
      if (!this.take(',')) throw this.invalid(path, 'A comma or ] is expected here.');
    }
  }

  private string(path: string): string {
    const start = this.at++;
    let read = '';
    for (;;) {
      const character = this.text[this.at];
      if (character === undefined) throw this.invalid(path, 'The text ends inside a string.');
      if (character < ' ') throw this.invalid(path, 'A control character inside a string must be escaped.');
      this.at++;
      if (character === '"') break;
      read += character === '\\' ? this.escape(path) : character;
    }
    if (!read.isWellFormed()) throw new JsonFault('invalid_unicode', start, path, 'The string holds half of a surrogate pair.', 'Send both halves or neither.');
    return read;
  }

  private escape(path: string): string {
    const kind = this.text[this.at++] ?? '';
    if (kind === 'u') {
      const digits = this.text.slice(this.at, this.at + 4);
      if (!/^[0-9a-fA-F]{4}$/.test(digits)) throw this.invalid(path, 'Four hex digits are expected after \\u.');
      this.at += 4;
      return String.fromCharCode(Number.parseInt(digits, 16));
    }
    const plain = Object.hasOwn(escapes, kind) ? escapes[kind] : undefined;
    if (plain === undefined) throw this.invalid(path, 'JSON has no such escape.');
    return plain;
  }

  private number(path: string): number {
    const start = this.at;
    while (/[-+.0-9eE]/.test(this.text[this.at] ?? '')) this.at++;
    const token = this.text.slice(start, this.at);
    if (!/^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$/.test(token)) {
      throw new JsonFault('invalid_json', start, path, 'No JSON value starts like this.');
    }
    const value = exactNumber(token);
    if (value === undefined) {
      throw new JsonFault('number_not_exact', start, path, 'The number cannot be held exactly.', 'Send it as a text, or with at most 17 digits and within ±9007199254740991.');
    }
    return value;
  }

  private word<T>(word: string, value: T, path: string): T {
    if (!this.text.startsWith(word, this.at)) throw this.invalid(path, 'No JSON value starts like this.');
    this.at += word.length;
    return value;
  }

  private deeper(path: string, depth: number): number {
    if (depth + 1 > this.maxDepth) throw this.fault('too_deep', path, `Values are nested more than ${String(this.maxDepth)} deep.`);
    return depth + 1;
  }

  private space(): void {
    while (/[ \t\n\r]/.test(this.text[this.at] ?? '')) this.at++;
  }

  private take(character: string): boolean {
    if (this.text[this.at] !== character) return false;
    this.at++;
    return true;
  }

  private fault(code: ErrorCode, path: string, message: string): JsonFault {
    return new JsonFault(code, this.at, path, message);
  }

  private invalid(path: string, message: string): JsonFault {
    return this.fault('invalid_json', path, message);
  }
}
