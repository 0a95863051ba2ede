'use client';

import { useQuery } from '@tanstack/react-query';
import Link from 'next/link';
import { useState } from 'react';

import { Page } from '@/components/layout/board';
import { Band } from '@/components/ui/band';
import { Button } from '@/components/ui/button';
import { Digest } from '@/components/ui/digest';
import { ErrorState, LoadingRows } from '@/components/ui/pane-states';
import { shownFault } from '@/lib/client/parse-answer';
import { statusQuery, trustQuery } from '@/lib/client/queries';
import type { SigningKey } from '@/lib/client/signing-key';
import { useClockOffset } from '@/lib/client/use-clock-offset';
import type { TrustChangeOutcome, TrustView } from '@/lib/contracts/console/trust';
import type { Viewer } from '@/lib/contracts/console/viewer';

import { AnnounceStep } from './announce-step';
import { NewOwnersStep, type NewOwners } from './new-owners-step';
import { PendingRecovery } from './pending-recovery';
import { RecoveryKeyStep } from './recovery-key-step';

/** For the day on which owners' keys are lost: the recovery key replaces them, after a day in which everybody can see it coming. */
export function RecoverScreen({ viewer }: { readonly viewer: Viewer }) {
  const { data, error, refetch } = useQuery(trustQuery());
  const now = useQuery(statusQuery()).data?.now;
  const offsetMs = useClockOffset(now ?? '');
  const [done, setDone] = useState<TrustChangeOutcome | null>(null);
  const [again, setAgain] = useState(false);
  const start = data !== undefined && done === null && (data.recoveries.length === 0 || again);
  return (
    <Page title="Recover" lead="When owners have lost their keys, the recovery key gives them new ones, and can do nothing else." actions={<Link className="link" href="/settings/trust">Trust</Link>}>
      {error === null ? null : <ErrorState title="The trust root could not be read." code={shownFault(error).code} action={<Button small onClick={() => void refetch()}>Read again</Button>}>{shownFault(error).detail}</ErrorState>}
      {done === null ? null : <Done outcome={done} />}
      {data === undefined ? (error === null ? <LoadingRows what="the trust root" /> : null) : (
        <>
          {data.recoveries.map((one) => <PendingRecovery key={one.digest} recovery={one} person={viewer.person} offsetMs={offsetMs} onDone={setDone} />)}
          {start ? <Start view={data} viewer={viewer} onAnnounced={() => setAgain(false)} /> : null}
          {data.recoveries.length > 0 && !again && done === null ? <p className="meta2 mt-5">Its new key is lost too? <button type="button" className="link" onClick={() => setAgain(true)}>Announce other owners</button>; the day then begins anew.</p> : null}
        </>
      )}
    </Page>
  );
}

interface StartProps {
  readonly view: TrustView;
  readonly viewer: Viewer;
  readonly onAnnounced: () => void;
}

/** The three steps. What was read or made lives in this page's memory, and leaving the page forgets it. */
function Start({ view, viewer, onAnnounced }: StartProps) {
  const [recovery, setRecovery] = useState<SigningKey | null>(null);
  const [next, setNext] = useState<NewOwners | null>(null);
  if (recovery === null) return <RecoveryKeyStep view={view} onKey={setRecovery} />;
  return (
    <>
      <p className="meta2 mt-4">The recovery key <Digest value={recovery.entry.id} length="tiny" /> is read. Leaving this page forgets it.</p>
      {next === null
        ? <NewOwnersStep view={view} viewer={viewer} onDone={setNext} />
        : <AnnounceStep view={view} person={viewer.person} recovery={recovery} next={next} onBack={() => setNext(null)} onDone={() => { setRecovery(null); setNext(null); onAnnounced(); }} />}
    </>
  );
}

function Done({ outcome }: { readonly outcome: TrustChangeOutcome }) {
  return outcome.state === 'in_force'
    ? <Band icon="check" title={`Trust root ${String(outcome.version)} is in force.`} action={<Link className="link" href="/settings/trust">Replace the recovery key</Link>}>Its owners sign from now on. The recovery key has been out of its safe: replace it now.</Band>
    : <Band icon="key" title="Your signature is kept.">Trust root {outcome.version} comes into force when {outcome.lacks.join(', ')} {outcome.lacks.length === 1 ? 'has' : 'have'} enough signatures of new owners. They sign on this page.</Band>;
}
