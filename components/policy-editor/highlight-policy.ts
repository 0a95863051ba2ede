import { syntaxTree } from '@codemirror/language';
import { RangeSetBuilder, type Extension } from '@codemirror/state';
import { Decoration, ViewPlugin, type DecorationSet, type EditorView, type ViewUpdate } from '@codemirror/view';

const marks = {
  Key: Decoration.mark({ class: 'cm-key' }),
  Comment: Decoration.mark({ class: 'cm-comment' }),
  QuotedLiteral: Decoration.mark({ class: 'cm-text' }),
} as const;
const decisions = Object.fromEntries(['ALLOW', 'DENY', 'MODIFY', 'STEP_UP', 'DEFER'].map((word) => [word, Decoration.mark({ class: `cm-decision cm-${word.toLowerCase().replace('_', '-')}` })]));

type Mark = { readonly from: number; readonly to: number; readonly mark: Decoration };

/** Keys, comments and decisions of the lines in view. `tree`: the text is YAML or JSON as a whole; else only what looks like a key is marked. */
export const highlightPolicy = (tree: boolean): Extension =>
  ViewPlugin.fromClass(
    class {
      decorations: DecorationSet;
      constructor(view: EditorView) {
        this.decorations = marksIn(view, tree);
      }
      update(update: ViewUpdate): void {
        if (update.docChanged || update.viewportChanged || syntaxTree(update.state) !== syntaxTree(update.startState)) this.decorations = marksIn(update.view, tree);
      }
    },
    { decorations: (plugin) => plugin.decorations },
  );

function marksIn(view: EditorView, tree: boolean): DecorationSet {
  const found = view.visibleRanges.flatMap(({ from, to }) => (tree ? fromTree(view, from, to) : fromLines(view, from, to)));
  const builder = new RangeSetBuilder<Decoration>();
  for (const { from, to, mark } of found.sort((a, b) => a.from - b.from || b.to - a.to)) builder.add(from, to, mark);
  return builder.finish();
}

function fromTree(view: EditorView, from: number, to: number): readonly Mark[] {
  const found: Mark[] = [];
  syntaxTree(view.state).iterate({
    from, to,
    enter: ({ name, from: start, to: end }) => {
      if (name === 'Key' || name === 'Comment' || name === 'QuotedLiteral') found.push({ from: start, to: end, mark: marks[name] });
      const decision = name === 'Literal' || name === 'QuotedLiteral' ? decisions[view.state.sliceDoc(start, Math.min(end, start + 9)).replaceAll('"', '')] : undefined;
      if (decision) found.push({ from: start, to: end, mark: decision });
    },
  });
  return found;
}

function fromLines(view: EditorView, from: number, to: number): readonly Mark[] {
  const found: Mark[] = [];
  for (let at = from; at <= to; ) {
    const line = view.state.doc.lineAt(at);
    const key = /^\s*(?:- )*([\w.-]+)(?=:(?:\s|$))/.exec(line.text);
    if (key?.[1] !== undefined) found.push({ from: line.from + key[0].length - key[1].length, to: line.from + key[0].length, mark: marks.Key });
    else if (/^(?:#{1,6} |```|~~~)/.test(line.text)) found.push({ from: line.from, to: line.to, mark: marks.Key });
    at = line.to + 1;
  }
  return found;
}
