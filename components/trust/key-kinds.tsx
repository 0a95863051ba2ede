'use client';

import { useState } from 'react';

import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { Section } from '@/components/ui/section';
import { Table, Th } from '@/components/ui/table';
import type { KeyKindRules, KeyPurpose } from '@/lib/authority/trust-root';
import { keyKinds, type KeyKind } from '@/lib/shared/keys';

import { kindWords } from './kind-words';
import type { TrustPartProps } from './owners';

const purposes: readonly { readonly purpose: KeyPurpose; readonly words: string }[] = [
  { purpose: 'low', words: 'Approvals of low impact' },
  { purpose: 'medium', words: 'Approvals of medium impact' },
  { purpose: 'high', words: 'Approvals of high impact' },
  { purpose: 'critical', words: 'Approvals of critical impact' },
  { purpose: 'policy', words: 'Policies and rosters' },
  { purpose: 'root', words: 'The next trust root' },
];

/** Which kind of key may sign what. A key in a browser does not resist an agent that drives that browser. */
export function KeyKinds({ view, onChange }: TrustPartProps) {
  const rules = view.root.key_kinds;
  const [draft, setDraft] = useState<KeyKindRules | null>(null);
  const same = draft !== null && purposes.every(({ purpose }) => keyKinds.every((kind) => draft[purpose].includes(kind) === rules[purpose].includes(kind)));
  return (
    <Section title="Which keys may sign what" note={onChange === undefined ? undefined : <Button small onClick={() => setDraft(rules)}>Change kinds</Button>}>
      <Kinds rules={rules} />
      {draft === null || onChange === undefined ? null : (
        <Dialog
          open title="Which keys may sign what" description="A passkey asks the person each time; a key in a browser signs for whoever drives the browser."
          onOpenChange={(open) => { if (!open) setDraft(null); }}
          footer={<><Button onClick={() => setDraft(null)}>Back <kbd>Esc</kbd></Button><Button kind="primary" gatedBy={same ? 'Change something' : undefined} onClick={() => { setDraft(null); onChange('Change which keys may sign', { key_kinds: draft }); }}>Go on to sign</Button></>}
        >
          <Kinds rules={draft} onToggle={(purpose, kind, on) => setDraft({ ...draft, [purpose]: keyKinds.filter((one) => (one === kind ? on : draft[purpose].includes(one))) })} />
        </Dialog>
      )}
    </Section>
  );
}

interface KindsProps {
  readonly rules: KeyKindRules;
  readonly onToggle?: (purpose: KeyPurpose, kind: KeyKind, on: boolean) => void;
}

function Kinds({ rules, onToggle }: KindsProps) {
  return (
    <div className="scroll-x" tabIndex={0} role="group" aria-label="Kinds of key">
      <Table caption="Kinds of key">
        <thead><tr><Th>To sign</Th>{keyKinds.map((kind) => <Th key={kind}>{kindWords[kind]}</Th>)}</tr></thead>
        <tbody>
          {purposes.map(({ purpose, words }) => (
            <tr key={purpose}>
              <td>{words}</td>
              {keyKinds.map((kind) => {
                const may = rules[purpose].includes(kind);
                return (
                  <td key={kind}>
                    {onToggle === undefined ? (may ? 'Yes' : <span className="t3">No</span>) : <input className="check" type="checkbox" checked={may} aria-label={`${words}: ${kindWords[kind] ?? kind}`} onChange={(event) => onToggle(purpose, kind, event.target.checked)} />}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </Table>
    </div>
  );
}
