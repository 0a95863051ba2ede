'use client';

import { useQuery } from '@tanstack/react-query';
import Link from 'next/link';
import { useState } from 'react';

import { Page } from '@/components/layout/board';
import { Band } from '@/components/ui/band';
import { Button } from '@/components/ui/button';
import { ErrorState, LoadingRows } from '@/components/ui/pane-states';
import type { TrustRootChange } from '@/lib/authority/change-trust-root';
import { shownFault } from '@/lib/client/parse-answer';
import { trustQuery } from '@/lib/client/queries';
import type { PendingTrustChange, TrustChangeOutcome } from '@/lib/contracts/console/trust';
import type { PersonId } from '@/lib/shared/ids';

import { KeyKinds } from './key-kinds';
import { Owners } from './owners';
import { PendingChanges } from './pending-changes';
import { RecoveryKeySection } from './recovery-key-section';
import { RootFacts } from './root-facts';
import { Rules } from './rules';
import { ServiceKeys } from './service-keys';
import { TrustSignDialog } from './trust-sign-dialog';

/** What is being signed: a change that somebody just made up, or one that waits. */
type Signing = { readonly title: string; readonly change: TrustRootChange; readonly pending?: PendingTrustChange };

interface TrustScreenProps {
  readonly person: PersonId;
  readonly maySign: boolean;
}

/** The document that everything which loosens leads to, and the ways to change it. */
export function TrustScreen({ person, maySign }: TrustScreenProps) {
  const { data, error, refetch } = useQuery(trustQuery());
  const [signing, setSigning] = useState<Signing | null>(null);
  const [done, setDone] = useState<TrustChangeOutcome | null>(null);
  const onChange = maySign ? (title: string, change: TrustRootChange) => { setDone(null); setSigning({ title, change }); } : undefined;
  return (
    <Page title="Trust" lead="Whatever loosens leads by signatures to this document. Nothing in the database can change it." actions={<Link className="link" href="/settings">Settings</Link>}>
      {error === null ? null : <ErrorState title="The trust root could not be read." code={shownFault(error).code} action={<Button small onClick={() => void refetch()}>Read again</Button>}>{shownFault(error).detail}</ErrorState>}
      {done === null ? null : <Done outcome={done} />}
      {data === undefined ? (error === null ? <LoadingRows what="the trust root" /> : null) : (
        <>
          <RootFacts view={data} />
          <PendingChanges pending={data.pending} maySign={maySign} onSign={(pending) => { setDone(null); setSigning({ title: `Sign trust root ${pending.version}`, change: pending.change, pending }); }} />
          <Owners view={data} onChange={onChange} />
          <Rules view={data} onChange={onChange} />
          <KeyKinds view={data} onChange={onChange} />
          <ServiceKeys view={data} onChange={onChange} />
          <RecoveryKeySection view={data} onChange={onChange} />
        </>
      )}
      {signing === null ? null : (
        <TrustSignDialog title={signing.title} change={signing.change} pending={signing.pending} person={person} onClose={() => setSigning(null)} onDone={(outcome) => { setSigning(null); setDone(outcome); }} />
      )}
    </Page>
  );
}

function Done({ outcome }: { readonly outcome: TrustChangeOutcome }) {
  return outcome.state === 'in_force'
    ? <Band icon="check" title={`Trust root ${outcome.version} is in force.`}>Its receipt is in the ledger, and every process pins it as soon as it has seen it.</Band>
    : <Band icon="key" title="Your signature is kept.">Trust root {outcome.version} comes into force when {outcome.lacks.join(', ')} {outcome.lacks.length === 1 ? 'has' : 'have'} enough signatures. Other owners sign it here.</Band>;
}
