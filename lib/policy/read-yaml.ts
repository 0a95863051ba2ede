import { Composer, Lexer, LineCounter, Parser, YAMLParseError, type CST, type Document, type ParseOptions } from 'yaml';

import type { Json } from '@/lib/shared/json';
import type { Issue } from '@/lib/shared/result';

import { inOrder, pathText, type Locate, type Position } from './diagnostics';
import { placeIn } from './place-in-yaml';
import { valueOfNodes } from './value-of-nodes';
import { overBounds, TokenBounds } from './yaml-bounds';

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
  const document = documentIn(text, lines);
  if ('over' in document) return { read: null, issues: [document.over] };
  const at = (offset: number): Position => {
    const { line, col } = lines.linePos(offset);
    return { line: Math.max(1, line), column: Math.max(1, col) };
  };
  const broken = [...document.errors, ...document.warnings].map((error): Issue => ({ path: '', message: firstLine(error.message), fix: fixOf(error.code), ...at(error.pos[0]) }));
  if (document.directives?.yaml.explicit === true && document.directives.yaml.version !== '1.2') {
    broken.push({ path: '', message: 'Only YAML 1.2 is read.', fix: 'Remove the %YAML directive.', line: 1, column: 1 });
  }
  const { value, found: odd } = valueOfNodes(document);
  const issues = inOrder([...broken, ...odd.map(({ path, message, fix, offset }) => ({ path: pathText(path), message, fix, ...at(offset) }))]);
  if (broken.length > 0 || odd.some(({ readable }) => !readable)) return { read: null, issues };
  if (value === null) return { read: null, issues: [{ path: '', message: 'The policy is empty.', fix: 'Begin with schema: countersign/policy/v1.', line: 1, column: 1 }] };
  return { read: { value, locate: (path, within) => at(placeIn(document, text, path, within)) }, issues };
}

const options = {
  version: '1.2', schema: 'core', strict: true, uniqueKeys: false, stringKeys: true, merge: false, customTags: [], keepSourceTokens: false,
} as const satisfies ParseOptions & ConstructorParameters<typeof Composer>[0];

/** As the library parses one document, but that each token is held against the bounds on its way, so that the text goes through the lexer once. */
function documentIn(text: string, lines: LineCounter): Document.Parsed | { readonly over: Issue } {
  const within = new TokenBounds();
  const parser = new Parser(lines.addNewLine);
  function* tokens(): Generator<CST.Token> {
    lines.addNewLine(0);
    for (const token of new Lexer().lex(text)) {
      if (!within.take(token)) return;
      yield* parser.next(token);
    }
    yield* parser.end();
  }
  const [document, more] = new Composer(options).compose(tokens(), true, text.length);
  if (within.over) return { over: within.over };
  if (!document) throw new Error('The composer gives a document whatever it is given.');
  if (more) document.errors.push(new YAMLParseError([more.range[0], more.range[1]], 'MULTIPLE_DOCS', 'There is more than one document.'));
  return document;
}

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
