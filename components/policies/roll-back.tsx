'use client';

import { useState } from 'react';

import { ProposeDialog } from '@/components/signing/propose-dialog';
import { Band } from '@/components/ui/band';
import { Button, ButtonLink } from '@/components/ui/button';
import type { PolicyFormat } from '@/lib/contracts/console/policies';
import type { PersonId } from '@/lib/shared/ids';

interface RollBackProps {
  readonly person: PersonId;
  readonly revision: { readonly revision: number; readonly text: string; readonly format: PolicyFormat };
}

/** Asks for an old text back: as a proposal, proved and signed like any other, that becomes a new and higher revision. */
export function RollBack({ person, revision: { revision, text, format } }: RollBackProps) {
  const [open, setOpen] = useState(false);
  const [made, setMade] = useState<string | null>(null);
  if (made !== null) return <Band icon="check" title="Proposed." action={<ButtonLink small href={`/policies?proposal=${made}`}>Look at the proposal</ButtonLink>}>The text of r{revision} comes back once owners have signed it, as a new revision.</Band>;
  return (
    <>
      <Band title="This text can come back." role="note" action={<Button small onClick={() => setOpen(true)}>Roll back to r{revision}</Button>}>As a proposal: proved first, signed by owners, with a number of its own. Numbers never fall.</Band>
      {open ? <ProposeDialog person={person} proposed={{ text, format }} title={`Roll back to r${revision}`} reason={`Roll back to r${revision}.`} onProposed={(proposal) => { setOpen(false); setMade(proposal); }} onClose={() => setOpen(false)} /> : null}
    </>
  );
}
