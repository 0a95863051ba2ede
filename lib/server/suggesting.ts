import type { RunSuggest } from '@/lib/services/proof/suggest/run-suggest';
import { fail } from '@/lib/shared/result';

import { proofBounds, proofThreadFile, runInProofThread, type ProofBounds } from './proof-thread';

/** Looks for suggestions in the bundled thread. */
export const suggestInThread =
  (file: URL = proofThreadFile(), bounds: ProofBounds = proofBounds): RunSuggest =>
  async (work) => {
    const outcome = await runInProofThread(file, { kind: 'suggest', work }, bounds, new AbortController().signal, () => undefined);
    if ('ended' in outcome) return fail('unavailable', `Looking for suggestions was stopped. ${outcome.ended.detail}`, { fix: 'Try again later.' });
    const { answer } = outcome;
    if (answer.kind === 'suggested') return answer.result;
    return fail('internal', answer.kind === 'failed' ? answer.message : 'It answered something else.');
  };
