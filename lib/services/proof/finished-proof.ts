import type { Comparison } from '@/lib/policy/compare/comparison';
import { classOf, proofSchemaName, type PolicyProof } from '@/lib/policy/proof';

import type { ProofSoFar, ProofWork } from './proof-work';

const mostOpen = 100;

/**
 * The proof of what was found. What was not compared to its end is *not proved*, which asks for the signatures of loosening; without tests
 * or lint there is no proof at all, since nobody could say that they are not red: undefined.
 */
export function finishedProof({ base, next }: ProofWork, { tests, lint, comparison, replay, open }: ProofSoFar): PolicyProof | undefined {
  if (!tests || !lint) return undefined;
  const compared = comparison ?? notCompared(open.at(-1) ?? 'The two policies were not compared.');
  return {
    schema: proofSchemaName,
    base_digest: base?.digest ?? null,
    digest: next.digest,
    change: classOf(compared),
    method: compared.method,
    comparison: compared,
    tests,
    lint,
    ...(replay ? { replay } : {}),
    open: [...new Set([...compared.unproved, ...open])].slice(0, mostOpen),
  };
}

/** Red tests or lint: it cannot be applied as it is. */
export const isApplicable = ({ tests, lint }: Pick<PolicyProof, 'tests' | 'lint'>): boolean => tests.failed === 0 && lint.errors === 0;

const notCompared = (why: string): Comparison => ({
  change: 'not_proved', changes: [], further: 0, unproved: [why], method: 'stopped', exhaustive: false, counted: { classes: 0, operations: 0, unchanged_operations: 0 },
});
