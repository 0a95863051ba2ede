'use client';

import { setDiagnostics, type Diagnostic } from '@codemirror/lint';
import { Compartment, EditorState } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { useEffect, useEffectEvent, useId, useRef } from 'react';

import { useStyleNonce } from '@/components/ui/style-nonce';
import type { Problem } from '@/lib/client/policy-desk-messages';
import type { PolicyFormat } from '@/lib/contracts/console/policies';

import { baseExtensions, differenceFrom, formatExtensions, helpExtensions, type CodeHelp } from './code-extensions';
import { diagnosticRange } from './diagnostic-range';

/** What the rest of the page may do with an open editor. */
export type CodeHandle = {
  readonly goTo: (place: { readonly line: number; readonly column: number }) => void;
  readonly replace: (text: string) => void;
};

interface CodePaneProps {
  readonly label: string;
  readonly initial: string;
  readonly format: PolicyFormat;
  readonly problems: readonly Problem[];
  /** Shows what differs from this text. */
  readonly original: string | null;
  readonly help: CodeHelp | null;
  readonly onChange: (text: string) => void;
  readonly onCaret?: (place: { readonly line: number; readonly column: number }) => void;
  readonly handle: (handle: CodeHandle | null) => void;
}

/** A pause in typing after which the text is read. */
const pauseMs = 200;

/** One CodeMirror editor. Its text is its own; `initial` counts once. */
export function CodePane({ label, initial, format, problems, original, help, onChange, onCaret, handle }: CodePaneProps) {
  const host = useRef<HTMLDivElement>(null);
  const open = useRef<{ readonly view: EditorView; readonly language: Compartment; readonly difference: Compartment } | null>(null);
  const nonce = useStyleNonce();
  const hint = useId();
  const changed = useEffectEvent(onChange);
  const moved = useEffectEvent((place: { readonly line: number; readonly column: number }) => onCaret?.(place));
  const complete = useEffectEvent(async (text: string, offset: number) => (await help?.complete(text, offset)) ?? null);
  const explain = useEffectEvent(async (text: string, offset: number) => (await help?.explain(text, offset)) ?? null);

  /** Makes the editor for its text; what changes later goes in by the effects below. Returns what ends it. */
  const begin = useEffectEvent((parent: HTMLElement) => {
    const language = new Compartment();
    const difference = new Compartment();
    let pending: ReturnType<typeof setTimeout> | null = null;
    const tell = (view: EditorView): void => {
      if (pending !== null) clearTimeout(pending);
      pending = null;
      changed(view.state.doc.toString());
    };
    const listener = EditorView.updateListener.of(({ docChanged, selectionSet, state, view }) => {
      if (docChanged) {
        if (pending !== null) clearTimeout(pending);
        pending = setTimeout(() => tell(view), pauseMs);
      }
      if (docChanged || selectionSet) moved(caretOf(state));
    });
    const extensions = [
      baseExtensions(nonce, { 'aria-label': label, 'aria-describedby': hint }),
      language.of(formatExtensions(format)),
      difference.of(original === null ? [] : differenceFrom(original)),
      helpExtensions({ complete, explain }),
      listener,
    ];
    const view = new EditorView({ parent, state: EditorState.create({ doc: initial, extensions }) });
    open.current = { view, language, difference };
    handle({
      goTo: ({ line, column }) => {
        const { doc } = view.state;
        const { from } = diagnosticRange({ lines: doc.lines, line: (number) => doc.line(number) }, { line, column });
        view.dispatch({ selection: { anchor: from }, effects: EditorView.scrollIntoView(from, { y: 'center' }) });
        view.focus();
      },
      replace: (text) => {
        view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } });
        tell(view);
      },
    });
    return () => {
      // What was typed in the last moment goes on to who keeps it.
      if (pending !== null) tell(view);
      handle(null);
      open.current = null;
      view.destroy();
    };
  });

  // Outside system: CodeMirror, which owns everything below the host element.
  useEffect(() => (host.current === null ? undefined : begin(host.current)), []);
  useEffect(() => {
    open.current?.view.dispatch({ effects: open.current.language.reconfigure(formatExtensions(format)) });
  }, [format]);
  useEffect(() => {
    open.current?.view.dispatch({ effects: open.current.difference.reconfigure(original === null ? [] : differenceFrom(original)) });
  }, [original]);
  useEffect(() => {
    if (open.current === null) return;
    const { state } = open.current.view;
    open.current.view.dispatch(setDiagnostics(state, problems.map((problem) => diagnosticOf(problem, state))));
  }, [problems]);

  return (
    <div className="code-pane">
      <div className="code-host" ref={host} />
      <p className="vh" id={hint}>Tab indents. Press Escape, then Tab, to leave the editor. Control and Space offer what may stand here.</p>
    </div>
  );
}

const caretOf = (state: EditorState): { readonly line: number; readonly column: number } => {
  const { head } = state.selection.main;
  const line = state.doc.lineAt(head);
  return { line: line.number, column: head - line.from + 1 };
};

const diagnosticOf = (problem: Problem, { doc }: EditorState): Diagnostic => ({
  ...diagnosticRange({ lines: doc.lines, line: (number) => doc.line(number) }, problem),
  severity: problem.severity,
  source: problem.code,
  message: [problem.path, problem.message, problem.fix].filter((part) => part !== null && part !== '').join(' — '),
});
