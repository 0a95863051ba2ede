import type { ReconciliationShown } from '@/lib/client/reconciliation-url';

type Words = {
  readonly title: string;
  /** What it means that something is on the list, and what to do about it. */
  readonly means: string;
  /** Nothing is on it: what is true then. */
  readonly none: string;
};

export const reconciliationWords: { readonly [List in ReconciliationShown]: Words } = {
  outcome_missing: {
    title: 'No outcome yet', means: 'The permit was used, and nobody has said what came of it. Past its time it turns into an unknown outcome by itself.', none: 'Every permit that was used has an outcome.',
  },
  outcome_unknown: {
    title: 'Outcome unknown', means: 'The time to report went by. It may have run: look at what it would have changed, and at the enforcement point.', none: 'No outcome is unknown.',
  },
  permit_unused: {
    title: 'Permits never used', means: 'It was let through, and the permit ran out. Nothing ran under it.', none: 'Every permit that ran out had been used.',
  },
  redemption_refused: {
    title: 'Redemptions refused', means: 'Somebody presented a permit that was no longer, or never, good for that. Nothing ran by it.', none: 'No permit was refused.',
  },
  gaps: {
    title: 'Gaps in the log', means: 'A position that the log counts and no row holds. Receipts are never deleted, so a gap is damage or tampering: run countersign fsck, and compare with an exported checkpoint.', none: 'No position is missing.',
  },
};
