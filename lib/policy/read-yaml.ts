import { LineCounter, parseDocument, type Document, type YAMLParseError } from 'yaml';

import type { Json } from '@/lib/shared/json';
import type { Issue } from '@/lib/shared/result';

import { inOrder, pathText, type Locate, type Position } from './diagnostics';
import { forbiddenNodes } from './forbidden-nodes';
import { placeIn } from './place-in-yaml';
import { overBounds } from './yaml-bounds';

export type ReadText = { readonly value: Json; readonly locate: Locate };

/** `read` beside `issues`: the text can be understood, so that further problems can be told at once; it must not be used. */
export type Composed = { readonly read: ReadText | null; readonly issues: readonly Issue[] };

/**
 * Strict YAML 1.2 core: no anchors, aliases, tags, merges, repeated keys or directives, one document, bounded before anything is
 * composed. All problems at once; a value only when there is none.
 */
export function readYaml(text: string): Composed {
  const composed = composeYaml(text);
  return composed.issues.length > 0 ? { read: null, issues: composed.issues } : composed;
}

/** The same, with a value also where what is wrong leaves the rest readable. */
export function composeYaml(text: string): Composed {
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
  const broken = [...document.errors, ...document.warnings].map((error): Issue => ({ path: '', message: firstLine(error.message), fix: fixOf(error.code), ...at(error.pos[0]) }));
  if (document.directives?.yaml.explicit === true && document.directives.yaml.version !== '1.2') {
    broken.push({ path: '', message: 'Only YAML 1.2 is read.', fix: 'Remove the %YAML directive.', line: 1, column: 1 });
  }
  const odd = forbiddenNodes(document);
  const issues = inOrder([...broken, ...odd.map(({ path, message, fix, offset }) => ({ path: pathText(path), message, fix, ...at(offset) }))]);
  if (broken.length > 0 || odd.some(({ readable }) => !readable)) return { read: null, issues };
  const value = parseJsonValue(valueOf(document));
  if (value === undefined || value === null) return { read: null, issues: [{ path: '', message: 'The policy is empty.', fix: 'Begin with schema: countersign/policy/v1.', line: 1, column: 1 }] };
  return { read: { value, locate: (path, within) => at(placeIn(document, text, path, within)) }, issues };
}

const valueOf = (document: Document.Parsed): unknown => document.toJS({ maxAliasCount: 0 });

function fixOf(code: YAMLParseError['code']): string {
  switch (code) {
    case 'MULTIPLE_DOCS':
      return 'Keep one document: remove the line ---.';
    case 'TAB_AS_INDENT':
      return 'Indent with spaces.';
    case 'BAD_INDENT':
    case 'BLOCK_AS_IMPLICIT_KEY':
    case 'BLOCK_IN_FLOW':
      return 'Indent it like the lines that it belongs with.';
    case 'MISSING_CHAR':
    case 'BAD_COLLECTION_TYPE':
      return 'Close the bracket or quote, or add the missing character before this place.';
    default:
      return 'Correct the YAML here; quote a text that has : # { [ or & in it.';
  }
}

const firstLine = (message: string): string => message.split('\n')[0] ?? message;

/** What the YAML library made, checked to be plain JSON once, so that nothing behind it has to wonder. */
function parseJsonValue(value: unknown): Json | undefined {
  if (value === null || typeof value === 'string' || typeof value === 'boolean' || typeof value === 'number') return value;
  if (Array.isArray(value)) return value.map((part: unknown) => parseJsonValue(part) ?? null);
  if (typeof value !== 'object') return undefined;
  return Object.fromEntries(Object.entries(value).map(([name, part]): readonly [string, Json] => [name, parseJsonValue(part) ?? null]));
}
