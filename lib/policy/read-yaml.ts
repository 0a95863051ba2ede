import { isMap, isScalar, isSeq, Lexer, LineCounter, parseDocument, visit, type Document, type YAMLMap } from 'yaml';

import { bounds } from '@/lib/shared/bounds';
import type { Json } from '@/lib/shared/json';
import type { Issue } from '@/lib/shared/result';

import type { Path, Position } from './diagnostics';

export type ReadText = { readonly value: Json; readonly locate: (path: Path) => Position };

const deepest = 24;
/** None is read; past this many, naming each would only take time. */
const mostAliases = 100;

/**
 * Strict YAML 1.2 core: no anchors, aliases, tags, merges, repeated keys or directives, one document, bounded before anything is
 * composed. All problems at once; a value only when there is none.
 */
export function readYaml(text: string): { readonly read: ReadText | null; readonly issues: readonly Issue[] } {
  const tooMuch = overBounds(text);
  if (tooMuch !== null) return { read: null, issues: [tooMuch] };
  const lines = new LineCounter();
  const document = parseDocument(text, {
    version: '1.2', schema: 'core', strict: true, uniqueKeys: false, stringKeys: true, merge: false, customTags: [],
    lineCounter: lines, prettyErrors: false, keepSourceTokens: false,
  });
  const at = (offset: number): Position => {
    const { line, col } = lines.linePos(offset);
    return { line: Math.max(1, line), column: Math.max(1, col) };
  };
  const issues: Issue[] = [...document.errors, ...document.warnings].map((error) => ({ path: '', message: firstLine(error.message), ...at(error.pos[0]) }));
  issues.push(...forbiddenNodes(document, at));
  if (document.directives?.yaml.explicit === true && document.directives.yaml.version !== '1.2') {
    issues.push({ path: '', message: 'Only YAML 1.2 is read.', fix: 'Remove the %YAML directive.', line: 1, column: 1 });
  }
  if (issues.length > 0) return { read: null, issues };
  const value = parseJsonValue(document.toJS({ maxAliasCount: 0 }));
  if (value === undefined || value === null) return { read: null, issues: [{ path: '', message: 'The policy is empty.', line: 1, column: 1 }] };
  return { read: { value, locate: (path) => at(offsetOf(document, path)) }, issues: [] };
}

/** Bounds on size and nesting by the lexer alone: composing a deeply nested text can end the process. */
function overBounds(text: string): Issue | null {
  const start = { path: '', line: 1, column: 1 };
  if (text.length > bounds.policyBytes) return { ...start, message: `The policy is over ${String(bounds.policyBytes)} bytes.`, fix: 'Split it, or shorten its prose.' };
  let depth = 0;
  let aliases = 0;
  for (const token of new Lexer().lex(text)) {
    if (/^[*&]/.test(token) && ++aliases > mostAliases) return { ...start, message: 'Anchors and aliases are not read.', fix: 'Write the values out.' };
    if (token === '{' || token === '[') depth += 1;
    if (token === '}' || token === ']') depth -= 1;
    if (depth > deepest) return { ...start, message: `Brackets are nested deeper than ${String(deepest)}.` };
  }
  const indents = text.split('\n').reduce((most, line) => Math.max(most, /^[ -]*/.exec(line)?.[0].length ?? 0), 0);
  return indents > 400 ? { ...start, message: 'The text is indented too deeply.' } : null;
}

function forbiddenNodes(document: Document.Parsed, at: (offset: number) => Position): readonly Issue[] {
  const issues: Issue[] = [];
  visit(document, {
    Pair: (_, pair) => {
      // Libraries leave this key out without a word; a condition that vanishes would widen its rule.
      if (isScalar(pair.key) && pair.key.value === '__proto__') issues.push({ path: '', message: '__proto__ cannot be a name.', fix: 'Remove it.', ...at(pair.key.range?.[0] ?? 0) });
    },
    Alias: (_, node) => void issues.push({ path: '', message: `Aliases (*${node.source}) are not read.`, fix: 'Write the value out.', ...at(node.range?.[0] ?? 0) }),
    Node: (_, node) => {
      const position = at(node.range?.[0] ?? 0);
      if (isMap(node)) issues.push(...repeatedNames(node, at));
      if ('anchor' in node && node.anchor !== undefined) issues.push({ path: '', message: `Anchors (&${node.anchor}) are not read.`, fix: 'Write the value out.', ...position });
      if (node.tag !== undefined) issues.push({ path: '', message: `Tags (${node.tag}) are not read.`, fix: 'Remove the tag.', ...position });
      if (isScalar(node) && typeof node.value === 'number') {
        const source = node.source ?? '';
        if (/^[-+]?0\d/.test(source)) issues.push({ path: '', message: `${source} would lose its leading zeros.`, fix: `Quote it: "${source}".`, ...position });
        else if (!isExact(node.value, source)) issues.push({ path: '', message: `${source.slice(0, 40)} cannot be represented exactly.`, fix: 'Quote it, or use fewer digits.', ...position });
      }
    },
  });
  return issues;
}

/** The library compares each name with each other one: a long enough map would hold up the process. */
function repeatedNames(map: YAMLMap, at: (offset: number) => Position): readonly Issue[] {
  const names = new Set<unknown>();
  return map.items.flatMap(({ key }) => {
    const name = isScalar(key) ? key.value : key;
    const twice = names.has(name);
    names.add(name);
    const offset = isScalar(key) ? (key.range?.[0] ?? 0) : 0;
    return twice ? [{ path: '', message: `Names in a map must be unique: ${String(name).slice(0, 40)} stands here twice.`, fix: 'Keep one of them.', ...at(offset) }] : [];
  });
}

function isExact(value: number, source: string): boolean {
  if (!Number.isFinite(value)) return false;
  return Number.isInteger(value) ? Number.isSafeInteger(value) : source.replace(/[eE].*$/, '').replaceAll(/[^0-9]/g, '').replace(/^0+/, '').length <= 17;
}

/** The offset of a path: of the name where the path ends in one, else of the item; the nearest one above that exists. */
function offsetOf(document: Document.Parsed, path: Path): number {
  let node: unknown = document.contents;
  let offset = document.contents?.range?.[0] ?? 0;
  for (const part of path) {
    if (isMap(node)) {
      const pair = node.items.find((item) => isScalar(item.key) && item.key.value === part);
      if (!pair) return offset;
      if (isScalar(pair.key)) offset = pair.key.range?.[0] ?? offset;
      node = pair.value;
    } else if (isSeq(node) && typeof part === 'number') {
      node = node.items[part];
      if (isScalar(node) || isMap(node) || isSeq(node)) offset = node.range?.[0] ?? offset;
    } else return offset;
  }
  return offset;
}

const firstLine = (message: string): string => message.split('\n')[0] ?? message;

/** What the YAML library made, checked to be plain JSON once, so that nothing behind it has to wonder. */
function parseJsonValue(value: unknown): Json | undefined {
  if (value === null || typeof value === 'string' || typeof value === 'boolean' || typeof value === 'number') return value;
  if (Array.isArray(value)) return value.map((part: unknown) => parseJsonValue(part) ?? null);
  if (typeof value !== 'object') return undefined;
  return Object.fromEntries(Object.entries(value).map(([name, part]): readonly [string, Json] => [name, parseJsonValue(part) ?? null]));
}
