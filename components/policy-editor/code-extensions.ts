import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap, startCompletion, type CompletionResult } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { yaml } from '@codemirror/lang-yaml';
import { bracketMatching, foldGutter, foldKeymap, indentOnInput, indentUnit } from '@codemirror/language';
import { lintKeymap } from '@codemirror/lint';
import { unifiedMergeView } from '@codemirror/merge';
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search';
import { EditorState, Prec, type Extension } from '@codemirror/state';
import { crosshairCursor, drawSelection, EditorView, highlightActiveLine, highlightActiveLineGutter, highlightSpecialChars, hoverTooltip, keymap, lineNumbers, rectangularSelection } from '@codemirror/view';

import type { PolicyFormat } from '@/lib/contracts/console/policies';
import type { Completions } from '@/lib/policy/assist/complete-policy';
import type { WordMeaning } from '@/lib/policy/assist/explain-word';

import { codeTheme } from './code-theme';
import { highlightPolicy } from './highlight-policy';

/** What the editor looks up while somebody types. Each answers null where there is nothing to say, and never rejects. */
export type CodeHelp = {
  readonly complete: (text: string, offset: number) => Promise<Completions | null>;
  readonly explain: (text: string, offset: number) => Promise<WordMeaning | null>;
};

/** How long after Escape a Tab leaves the editor, in milliseconds. */
const leavingMs = 2_000;

/** Everything that does not change while the editor is open. */
export const baseExtensions = (nonce: string | undefined, attributes: Readonly<Record<string, string>>): Extension => [
  ...(nonce === undefined ? [] : [EditorView.cspNonce.of(nonce)]),
  EditorView.contentAttributes.of({ ...attributes, tabindex: '0', spellcheck: 'false', autocapitalize: 'off', autocorrect: 'off', translate: 'no' }),
  EditorState.tabSize.of(2),
  indentUnit.of('  '),
  EditorView.lineWrapping,
  lineNumbers(),
  highlightActiveLineGutter(),
  highlightSpecialChars(),
  history(),
  foldGutter(),
  drawSelection(),
  EditorState.allowMultipleSelections.of(true),
  indentOnInput(),
  bracketMatching(),
  closeBrackets(),
  rectangularSelection(),
  crosshairCursor(),
  highlightActiveLine(),
  highlightSelectionMatches(),
  search({ top: true }),
  // Tab indents; Escape lets the next Tab leave, so that nobody is caught in here. The view itself does not when an Escape closes a list.
  Prec.highest(EditorView.domEventHandlers({ keydown: letTabLeave })),
  keymap.of([...closeBracketsKeymap, ...completionKeymap, ...searchKeymap, ...historyKeymap, ...foldKeymap, ...lintKeymap, ...defaultKeymap, indentWithTab]),
  codeTheme,
];

function letTabLeave(event: KeyboardEvent, view: EditorView): boolean {
  if (event.key === 'Escape') view.setTabFocusMode(leavingMs);
  return false;
}

/** Prose with blocks of rules is no YAML as a whole. */
export const formatExtensions = (format: PolicyFormat): Extension => (format === 'markdown' ? highlightPolicy(false) : [yaml(), highlightPolicy(true)]);

/** Marks what differs from an earlier text, in place; the rest is folded away. */
export const differenceFrom = (original: string): Extension =>
  unifiedMergeView({ original, mergeControls: false, gutter: true, syntaxHighlightDeletions: false, collapseUnchanged: { margin: 3, minSize: 8 }, diffConfig: { timeout: 500 } });

export const helpExtensions = ({ complete, explain }: CodeHelp): Extension => [
  autocompletion({
    icons: false,
    closeOnBlur: true,
    override: [
      async (context): Promise<CompletionResult | null> => {
        // Typing begins a word; anything else asks only when told to.
        if (!context.explicit && context.matchBefore(/[\w.*@-]$|: $|[{[,] ?$/) === null) return null;
        const found = await complete(context.state.doc.toString(), context.pos);
        if (found === null || context.aborted) return null;
        return {
          from: found.from,
          validFor: /^[\w.*@:-]*$/,
          options: found.options.map(({ label, detail, info, insert, kind }) => ({
            label,
            type: kind,
            ...(detail === null ? {} : { detail }),
            ...(info === null ? {} : { info }),
            apply: (view, _completion, from, to) => {
              view.dispatch({ changes: { from, to, insert }, selection: { anchor: from + insert.length }, userEvent: 'input.complete' });
              if (insert.endsWith(': ')) startCompletion(view);
            },
          })),
        };
      },
    ],
  }),
  hoverTooltip(async (view, pos) => {
    const meaning = await explain(view.state.doc.toString(), pos);
    if (meaning === null) return null;
    return { pos: meaning.from, end: meaning.to, above: true, create: () => ({ dom: meaningElement(meaning) }) };
  }),
];

/** Texts only: what a policy or a catalogue says is never markup. */
function meaningElement({ title, lines }: WordMeaning): HTMLElement {
  const box = document.createElement('div');
  box.className = 'cm-meaning';
  const head = document.createElement('b');
  head.textContent = title;
  box.append(head);
  for (const line of lines) {
    const text = document.createElement('p');
    text.textContent = line;
    box.append(text);
  }
  return box;
}
