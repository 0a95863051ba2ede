'use client';

import { useState } from 'react';

import { RosterDialog } from '@/components/signing/roster-dialog';
import { Button } from '@/components/ui/button';
import { Section } from '@/components/ui/section';
import { vouchingKinds } from '@/lib/authority/roster';
import type { CredentialView } from '@/lib/contracts/console/agents';
import { isId, type PersonId } from '@/lib/shared/ids';

import { AddCredentialDialog } from './add-credential-dialog';
import { emptyDraft, scopeWords, type CredentialDraft } from './credential-form';
import { CredentialTable } from './credential-table';

interface VouchingProps {
  readonly credentials: readonly CredentialView[];
  readonly person: PersonId;
  readonly mayRevoke: boolean;
  readonly maySign: boolean;
}

/** Credentials whose word is believed. Only an owner's signature on the roster brings one in, or takes one out of it. */
export function Vouching({ credentials, person, mayRevoke, maySign }: VouchingProps) {
  const [adding, setAdding] = useState<{ readonly draft: CredentialDraft; readonly rotates: boolean } | null>(null);
  const [removing, setRemoving] = useState<CredentialView | null>(null);
  const actions = maySign ? (one: CredentialView) => (one.scope === undefined ? null : (
    <>
      <Button small onClick={() => setAdding({ draft: draftOf(one), rotates: true })} aria-label={`Rotate ${one.subject}`}>Rotate</Button>
      <Button small onClick={() => setRemoving(one)} aria-label={`Take out ${one.id}, from the roster`}>Take out</Button>
    </>
  )) : undefined;
  return (
    <Section title="Credentials that vouch" note={maySign ? <Button small onClick={() => setAdding({ draft: emptyDraft, rotates: false })}>Add a credential</Button> : 'listed in the signed roster, with their token’s digest'}>
      {credentials.length === 0
        ? <p className="meta2">None. Orchestrators, enforcement points and information points come in with an owner’s signature.</p>
        : <CredentialTable credentials={credentials} mayRevoke={mayRevoke} actions={actions} />}
      {adding === null ? null : <AddCredentialDialog person={person} initial={adding.draft} rotates={adding.rotates} onClose={() => setAdding(null)} />}
      {removing !== null && isId('credential', removing.id) ? (
        <RosterDialog
          title={`Take ${removing.subject} out of the roster`} change={{ kind: 'remove_credential', credential: removing.id }} person={person} onClose={() => setRemoving(null)}
          lines={[{ label: 'Credential', value: <code>{removing.id}</code> }, { label: 'Was for', value: scopeWords(removing.scope ?? {}) }, { label: 'Then', value: 'Its token stops working for good.' }]}
        />
      ) : null}
    </Section>
  );
}

function draftOf({ kind, subject, scope = {} }: CredentialView): CredentialDraft {
  const list = (names: readonly string[] | undefined) => (names ?? []).join(', ');
  return { ...emptyDraft, kind: vouchingKinds.find((one) => one === kind) ?? 'orchestrator', subject, humans: list(scope.humans), agents: list(scope.agents), attributes: list(scope.attributes) };
}
