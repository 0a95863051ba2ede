'use client';

import { Band } from '@/components/ui/band';
import { Button } from '@/components/ui/button';
import type { ProofView } from '@/lib/contracts/console/proofs';
import type { ShownFault } from '@/lib/contracts/console/action-result';

interface ProofStateProps {
  readonly view: ProofView;
  readonly busy: boolean;
  readonly fault: ShownFault | null;
  readonly onProve: () => void;
  readonly onCancel: () => void;
}

const phases = { reading: 'Reading both texts', testing: 'Running tests and lint', comparing: 'Comparing what the two decide', replaying: 'Taking real decisions again', recording: 'Writing it down' } as const;

/** How far the proof is, or why there is none. */
export function ProofState({ view: { proof, job, may, applicable }, busy, fault, onProve, onCancel }: ProofStateProps) {
  const again = may.prove ? <Button small onClick={onProve} offBecause={busy ? 'Asking' : undefined}>{proof === null ? 'Prove it' : 'Prove it again'}</Button> : undefined;
  return (
    <>
      {fault === null ? null : <Band tone="deny" icon="stale" role="alert" title={`${fault.title}.`}>{fault.detail} {fault.fix}</Band>}
      {job !== null && (job.state === 'running' || job.state === 'waiting') ? (
        <section className="checking" aria-label="Proof">
          <p className="checking-h"><b role="status">{job.state === 'waiting' ? 'Waiting to be proved' : phases[job.phase]}</b><span className="num t2">{job.phase === 'replaying' && job.state === 'running' ? `${String(job.percent)}%` : ''}</span></p>
          <progress aria-label="How far the proof is" max={100} {...(job.state === 'running' && job.phase === 'replaying' ? { value: job.percent } : {})} />
          <p className="checking-f"><span className="meta">It runs beside the console. {proof === null ? 'Nobody can sign before it is proved.' : 'What stands below is from before.'}</span>{may.prove ? <Button small onClick={onCancel} offBecause={busy ? 'Asking' : undefined}>Stop</Button> : null}</p>
        </section>
      ) : null}
      {job?.state === 'failed' ? <Band tone="deny" icon="stale" title="The proof was not made." action={again}>{job.detail} {proof === null ? 'So it cannot be signed.' : 'What stands below is from before.'}</Band> : null}
      {job?.state === 'cancelled' && proof === null ? <Band tone="warn" title="The proof was stopped." action={again}>Nobody can sign before it is proved.</Band> : null}
      {job === null && proof === null ? <Band tone="warn" title="It is not proved yet." action={again}>Nobody can sign before it is proved.</Band> : null}
      {proof !== null && applicable === false ? (
        <Band tone="deny" icon="denied" role="note" title="It is red, so it cannot be applied.">
          {proof.tests.failed > 0 ? `${proof.tests.failed.toLocaleString('en')} of the policy’s tests ${proof.tests.failed === 1 ? 'comes' : 'come'} out differently. ` : ''}
          {proof.lint.errors > 0 ? `${proof.lint.errors.toLocaleString('en')} new ${proof.lint.errors === 1 ? 'rule' : 'rules'} can never do what ${proof.lint.errors === 1 ? 'it says' : 'they say'}. ` : ''}
          Which ones stands below; a new text is a new proposal.
        </Band>
      ) : null}
    </>
  );
}
