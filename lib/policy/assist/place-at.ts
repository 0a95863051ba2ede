import type { Path } from '../diagnostics';
import { FlowScan } from './flow-scan';

/** Where a cursor stands in YAML or JSON that may be half-written. */
export type Place = {
  /** Of the mapping for a key, of the value or item for a value. */
  readonly path: Path;
  readonly at: 'key' | 'value';
  /** What is typed so far, quotes left out, and where it begins. */
  readonly typed: string;
  readonly from: number;
  /** Inside brackets: what follows is on the same line, and JSON quotes its keys. */
  readonly flow: boolean;
  readonly quoted: boolean;
  /** What stands before in each mapping on the way: the first is the document's, the last the one around the cursor. */
  readonly around: readonly Readonly<Record<string, string>>[];
};

type Frame = { readonly indent: number; readonly part: string | number; readonly values: Record<string, string> };

const keyPattern = /^("(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[^\s#{}[\],&*!|>'"%@`][^#]*?)\s*:(?=\s|$)/;

/**
 * Reads by indentation and brackets alone, so that a place is found in a text that no parser takes yet. Null in a comment and in a block
 * of text (`|`, `>`).
 */
export function placeAt(text: string, offset: number): Place | null {
  const reader = new BlockReader();
  let start = 0;
  for (;;) {
    const end = text.indexOf('\n', start);
    if (end < 0 || end >= offset) break;
    reader.line(text.slice(start, end).replace(/\r$/, ''));
    start = end + 1;
  }
  return reader.cursor(text.slice(start, offset), start);
}

class BlockReader {
  private frames: Frame[] = [];
  /** Brackets that are still open, from an earlier line on. */
  private flow: FlowScan | null = null;
  /** A block of text hangs from a key at this indentation; what is indented further belongs to it. */
  private textBelow: number | null = null;
  private top: Record<string, string> = {};

  line(line: string): void {
    if (this.flow) {
      this.flow.read(`${line}\n`);
      if (this.flow.closed) this.flow = null;
      return;
    }
    if (line.trim() === '' || this.inText(line) || line.trimStart().startsWith('#')) return;
    const { rest, indent } = this.dashes(line);
    const key = keyPattern.exec(rest);
    if (key === null) return this.value(rest);
    const value = rest.slice(key[0].length).trim();
    this.key(unquoted(key[1] ?? ''), indent, value);
    this.value(value);
  }

  cursor(line: string, start: number): Place | null {
    if (this.flow) return this.inFlow(this.flow, line, start);
    if (this.inText(line) || isComment(line)) return null;
    const { rest, indent } = this.dashes(line);
    const key = keyPattern.exec(rest);
    if (key === null) {
      const begun = rest.trimStart();
      if (begun.startsWith('{') || begun.startsWith('[')) return this.opened(begun, start + line.length - begun.length);
      this.closeTo(indent);
      // A bare word after a dash may be an item or the first key of one: the schema says which.
      return { path: this.path, at: 'key', ...typedOf(begun), from: start + line.length - typedLength(begun), flow: false, quoted: quoted(begun), around: this.around() };
    }
    this.key(unquoted(key[1] ?? ''), indent, '');
    const value = rest.slice(key[0].length).trimStart();
    if (value.startsWith('{') || value.startsWith('[')) return this.opened(value, start + line.length - value.length);
    if (rest.length === key[0].length) return null;
    return { path: this.path, at: 'value', ...typedOf(value), from: start + line.length - typedLength(value), flow: false, quoted: quoted(value), around: this.around().slice(0, -1) };
  }

  private around(): readonly Readonly<Record<string, string>>[] {
    return [this.top, ...this.frames.map(({ values }) => values)];
  }

  private get path(): Path {
    return this.frames.map(({ part }) => part);
  }

  private opened(text: string, start: number): Place | null {
    return this.inFlow(new FlowScan(), text, start);
  }

  private inFlow(scan: FlowScan, line: string, start: number): Place | null {
    if (isComment(line)) return null;
    scan.read(line);
    // Closed again before the cursor: nothing may follow it there.
    if (scan.closed || scan.afterQuote) return null;
    const { path, at, typed, around, quoted: isQuoted } = scan.state();
    return { path: [...this.path, ...path], at, typed, from: start + line.length - typed.length, flow: true, quoted: isQuoted, around: [...this.around().slice(0, -1), ...around] };
  }

  /** `- - key:`: each dash is an item, as deep as it stands. */
  private dashes(line: string): { readonly rest: string; readonly indent: number } {
    let indent = line.length - line.trimStart().length;
    let rest = line.trimStart();
    while (rest === '-' || rest.startsWith('- ')) {
      const before = this.itemAt(indent);
      this.frames.push({ indent, part: before + 1, values: {} });
      const after = rest.slice(1);
      const inner = after.trimStart();
      indent += 1 + (after.length - inner.length);
      rest = inner;
    }
    return { rest, indent };
  }

  /** Closes what is deeper than a dash at this indentation, and the item before it. Its number, −1 for none. */
  private itemAt(indent: number): number {
    let last = this.frames.at(-1);
    while (last && (last.indent > indent || (last.indent === indent && typeof last.part === 'number'))) {
      this.frames.pop();
      if (last.indent === indent && typeof last.part === 'number') return last.part;
      last = this.frames.at(-1);
    }
    return -1;
  }

  private closeTo(indent: number): void {
    for (let last = this.frames.at(-1); last && last.indent >= indent; last = this.frames.at(-1)) this.frames.pop();
  }

  private key(name: string, indent: number, value: string): void {
    this.closeTo(indent);
    const siblings = this.frames.at(-1)?.values ?? this.top;
    siblings[name] = value;
    this.frames.push({ indent, part: name, values: {} });
    this.textBelow = /^[|>][-+0-9]*\s*(?:#.*)?$/.test(value) ? indent : null;
  }

  private value(value: string): void {
    if (!value.startsWith('{') && !value.startsWith('[')) return;
    const scan = new FlowScan();
    scan.read(`${value}\n`);
    if (!scan.closed) this.flow = scan;
  }

  private inText(line: string): boolean {
    if (this.textBelow === null) return false;
    if (line.trim() === '' || line.length - line.trimStart().length > this.textBelow) return true;
    this.textBelow = null;
    return false;
  }
}

const unquoted = (text: string): string => (/^(["']).*\1$/.test(text) ? text.slice(1, -1) : text);
const quoted = (text: string): boolean => text.startsWith('"') || text.startsWith("'");
const typedOf = (text: string): { readonly typed: string } => ({ typed: quoted(text) ? text.slice(1) : text });
const typedLength = (text: string): number => typedOf(text).typed.length;

/** A `#` that is not within quotes and follows a space, or begins the line. */
function isComment(line: string): boolean {
  let within = '';
  for (let i = 0; i < line.length; i++) {
    const char = line.charAt(i);
    if (within !== '') within = char === within ? '' : within;
    else if ((char === '"' || char === "'") && /[\s[{,:-]|^$/.test(line.charAt(i - 1))) within = char;
    else if (char === '#' && (i === 0 || /\s/.test(line.charAt(i - 1)))) return true;
  }
  return false;
}
