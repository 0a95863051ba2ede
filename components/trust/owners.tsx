'use client';

import { useState } from 'react';

import { Button } from '@/components/ui/button';
import { Digest } from '@/components/ui/digest';
import { Section } from '@/components/ui/section';
import { Table, Th } from '@/components/ui/table';
import type { TrustRootChange } from '@/lib/authority/change-trust-root';
import type { TrustView } from '@/lib/contracts/console/trust';

import { kindWords } from './kind-words';
import { OwnersDialog } from './owners-dialog';

export interface TrustPartProps {
  readonly view: TrustView;
  /** Left out for those who may only look. */
  readonly onChange: ((title: string, change: TrustRootChange) => void) | undefined;
}

/** Whose signatures count. People are counted, never keys. */
export function Owners({ view, onChange }: TrustPartProps) {
  const [open, setOpen] = useState(false);
  return (
    <Section title="Owners" note={onChange === undefined ? 'people are counted, never keys' : <Button small onClick={() => setOpen(true)}>Change owners</Button>}>
      <div className="scroll-x" tabIndex={0} role="group" aria-label="Owners">
        <Table caption="Owners">
          <thead><tr><Th>Owner</Th><Th>Key</Th><Th>Kind</Th></tr></thead>
          <tbody>
            {view.owners.map(({ name, key, in_roster }) => (
              <tr key={key.id}><td><b>{name}</b>{in_roster ? null : <span className="t3"> not in the roster</span>}</td><td><Digest value={key.id} length="tiny" /></td><td>{kindWords[key.kind] ?? key.kind}</td></tr>
            ))}
          </tbody>
        </Table>
      </div>
      {open && onChange !== undefined ? <OwnersDialog view={view} onClose={() => setOpen(false)} onChange={(change) => { setOpen(false); onChange('Change the owners', change); }} /> : null}
    </Section>
  );
}
