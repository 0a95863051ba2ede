'use client';

import { useState } from 'react';

import { Button, ButtonLink } from '@/components/ui/button';
import { Icon } from '@/components/ui/icon';
import type { PersonId } from '@/lib/shared/ids';

import { problemWords } from './problems-panel';
import { ProposeDialog } from '@/components/signing/propose-dialog';
import type { ProposedText } from '@/components/signing/use-propose';
import type { Draft } from './use-draft';
import type { CheckState } from './use-policy-desk';

interface EditorBarProps {
  readonly check: CheckState;
  readonly draft: Draft;
  readonly inForce: { readonly text: string; readonly digest: string } | null;
  readonly person: PersonId;
}

/** What may become of the draft: a proposal, like everybody's. There is no other way from here into force. */
export function EditorBar({ check, draft, inForce, person }: EditorBarProps) {
  const [proposing, setProposing] = useState<ProposedText | null>(null);
  const [made, setMade] = useState<{ readonly proposal: string; readonly text: string } | null>(null);
  const { text, format, tests, base } = draft.content;
  const found = problemWords(check.checked?.policy ?? []);
  const gate = check.checked === null || check.busy ? 'Reading the text' : check.checked.rules === null ? 'It does not load' : inForce?.text === text ? 'Nothing is changed' : (base?.digest ?? null) !== (inForce?.digest ?? null) ? 'Rests on an older revision' : undefined;
  async function propose(): Promise<void> {
    // What is signed is what is kept: a draft that could not be saved would be lost to its author.
    await draft.flush();
    setProposing({ text, format, tests });
  }
  return (
    <footer className="bar desk-bar" role="group" aria-label="Propose">
      <div className="bar-what">
        <p>{made !== null && made.text === text ? 'Proposed' : check.checked === null || check.busy ? 'Reading the text' : check.checked.rules === null ? `Does not load: ${found}` : `Loads with ${check.checked.rules.toLocaleString('en')} rules${found === '' ? '' : `, ${found}`}`}</p>
        <p className="meta">{made !== null && made.text === text ? 'It is proved now; owners look at it and sign.' : inForce?.text === text ? 'Nothing is changed.' : 'Nothing changes until owners have signed a proposal.'}</p>
      </div>
      <div className="bar-do">
        {made !== null && made.text === text ? <ButtonLink href={`/policies?proposal=${made.proposal}`}>Look at the proposal</ButtonLink> : <Button kind="primary" icon={<Icon name="key" />} gatedBy={gate} onClick={() => void propose()}>Propose</Button>}
      </div>
      {proposing === null ? null : <ProposeDialog person={person} proposed={proposing} title="Propose this policy" onProposed={(proposal) => { setMade({ proposal, text: proposing.text }); setProposing(null); }} onClose={() => setProposing(null)} />}
    </footer>
  );
}
