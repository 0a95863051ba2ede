import type { ProposalId } from '@/lib/shared/ids';

import type { Tx } from './transaction';

/** Texts of `*.test.yaml`. They say what a policy is meant to do; nothing rests on them but whether a proposal is red. */
export type PolicyTestsStore = {
  readonly add: (tx: Tx, proposal: ProposalId, text: string) => Promise<void>;
  /** What this proposal brings, if it brings any. */
  readonly of: (proposal: ProposalId) => Promise<string | undefined>;
  /** Those of the newest applied proposal that brought any: they stand beside the policy in force. */
  readonly inForce: () => Promise<string | undefined>;
};
