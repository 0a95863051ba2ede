import { problemWords } from './problems-panel';
import type { Draft } from './use-draft';
import type { CheckState } from './use-policy-desk';

interface EditorBarProps {
  readonly check: CheckState;
  readonly draft: Draft;
  readonly inForce: { readonly text: string } | null;
}

/** What may become of the draft. */
export function EditorBar({ check, draft, inForce }: EditorBarProps) {
  const found = problemWords(check.checked?.policy ?? []);
  return (
    <footer className="bar desk-bar" role="group" aria-label="Propose">
      <div className="bar-what">
        <p>{check.checked === null || check.busy ? 'Reading the text' : check.checked.rules === null ? `Does not load: ${found}` : `Loads with ${check.checked.rules.toLocaleString('en')} rules${found === '' ? '' : `, ${found}`}`}</p>
        <p className="meta">{inForce?.text === draft.content.text ? 'Nothing is changed.' : 'Nothing changes until owners have signed a proposal.'}</p>
      </div>
      <div className="bar-do" />
    </footer>
  );
}
