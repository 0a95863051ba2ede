import type { PolicyProof } from '@/lib/policy/proof';
import type { ProofPhase } from '@/lib/contracts/console/proofs';
import type { ConsoleParts } from '@/lib/services/console/console-parts';
import type { ProposalId } from '@/lib/shared/ids';
import { fail, ok, type Result } from '@/lib/shared/result';

import { finishedProof } from './finished-proof';
import type { ProofProgress, ProofSoFar, ProofWork } from './proof-work';
import { proofWorkOf } from './proof-work-of';
import { recordProof } from './record-proof';

/**
 * How work beside this process ended: with a proof, or stopped. `bound`: by one of its bounds, which is an answer too; `left`: this process ends, and the next that
 * looks begins it again.
 */
export type WorkEnd = { readonly proof: Result<PolicyProof> } | { readonly stopped: 'bound' | 'cancelled' | 'crashed' | 'left'; readonly detail: string };

/** Does the work where it disturbs nobody. */
export type RunProof = (work: ProofWork, signal: AbortSignal, listen: { readonly progress: (progress: ProofProgress) => void; readonly found: (soFar: ProofSoFar) => void }) => Promise<WorkEnd>;

export type ProvingParts = Parameters<typeof proofWorkOf>[0] & Parameters<typeof recordProof>[0] & Pick<ConsoleParts, 'proofJobs'>;

export type Proving = {
  readonly run: RunProof;
  /** This process, as its rows name it. */
  readonly runner: string;
  /** Calls back about once a second until the returned function is called. */
  readonly everySecond: (work: () => void) => () => void;
  readonly report: (cause: unknown) => void;
};

/**
 * Proves one proposal, unless another process is at it. A bound that stopped it gives a proof too: what was not found out is open, and what was not compared is
 * *not proved*. A crash gives none, and may be tried again. Whoever asks can stop it at any time, from any process.
 */
export async function proveProposal(parts: ProvingParts, { run, runner, everySecond, report }: Proving, id: ProposalId): Promise<void> {
  if (!(await parts.proofJobs.claim(id, runner))) return;
  const stop = new AbortController();
  let at: { readonly phase: ProofPhase; readonly percent: number } = { phase: 'reading', percent: 0 };
  let soFar: ProofSoFar = { open: [] };
  const beat = (): void => {
    parts.proofJobs.beat(id, runner, at.phase, at.percent).then((told) => {
      if (told !== 'go_on') stop.abort();
    }, report);
  };
  const still = everySecond(beat);
  const end = (state: 'done' | 'failed' | 'cancelled', detail: string | null): Promise<void> => parts.proofJobs.end(id, runner, state, detail);
  try {
    const row = await parts.proposals.find(id);
    if (row?.state !== 'open' || row.target !== 'policy') return await end('failed', 'The proposal is not open any more.');
    const work = await proofWorkOf(parts, row);
    if (!work.ok) return await end('failed', work.error.detail);
    const ended = await run(work.value, stop.signal, {
      progress: (progress) => { at = progress; },
      found: (found) => { soFar = found; },
    });
    if ('stopped' in ended && ended.stopped === 'left') return;
    if ('stopped' in ended && ended.stopped === 'cancelled') return await end('cancelled', null);
    const proof = 'proof' in ended ? ended.proof : boundedProof(work.value, soFar, ended);
    if (!proof.ok) return await end('failed', proof.error.detail);
    at = { phase: 'recording', percent: 0 };
    const kept = await recordProof(parts, row, proof.value);
    await end(kept.ok ? 'done' : 'failed', kept.ok ? null : kept.error.detail);
  } catch (cause) {
    report(cause);
    await end('failed', 'It could not be read or written down.');
  } finally {
    still();
  }
}

function boundedProof(work: ProofWork, soFar: ProofSoFar, { stopped, detail }: Extract<WorkEnd, { stopped: string }>): Result<PolicyProof> {
  if (stopped !== 'bound') return fail('internal', `The work on it ended without an answer: ${detail}`);
  const what = soFar.comparison === undefined ? 'The two policies were not compared to the end' : 'The decisions of the period were not taken again';
  const proof = finishedProof(work, { ...soFar, open: [...soFar.open, `${what}: a bound stopped it. ${detail}`] });
  return proof ? ok(proof) : fail('internal', `Reading it did not come to an end. ${detail}`);
}
