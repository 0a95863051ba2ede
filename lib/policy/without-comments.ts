import { CST, Lexer } from 'yaml';

/** A text without its comments, by YAML's own lexer: a "#" in quotes or in a block of text is none. Never throws. */
export function withoutComments(text: string): string {
  let kept = '';
  let isScalar = false;
  for (const token of new Lexer().lex(text)) {
    const isMark = token === CST.SCALAR || token === CST.DOCUMENT || token === CST.FLOW_END;
    if (!isMark && (isScalar || !token.startsWith('#'))) kept += token;
    isScalar = token === CST.SCALAR;
  }
  return kept;
}
