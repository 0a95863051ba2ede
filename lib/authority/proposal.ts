import { fail, ok, type Result } from '@/lib/shared/result';

/** `signed`: by some of the owners that it needs, or by all while its cool-off runs. The last four are ends, and stay for ever. */
export const proposalStates = ['open', 'signed', 'applied', 'rejected', 'withdrawn', 'stale'] as const;
export type ProposalState = (typeof proposalStates)[number];

/**
 * What happens to a proposal. `outdate`: what it was written on is no longer what it would replace. `apply` says how many of the
 * signatures count and how many its class asks for.
 */
export type ProposalEvent =
  | { readonly kind: 'prove' }
  | { readonly kind: 'sign' }
  | { readonly kind: 'apply'; readonly counted: number; readonly needed: number }
  | { readonly kind: 'reject' }
  | { readonly kind: 'withdraw' }
  | { readonly kind: 'outdate' };

export const isLive = (state: ProposalState): boolean => state === 'open' || state === 'signed';

/**
 * The state after an event. Failures: `already_resolved` once it has ended; `conflict` when it is proved anew under a signature, which
 * speaks of the proof that was there; `policy_signers_too_few`.
 */
export function nextProposalState(state: ProposalState, event: ProposalEvent): Result<ProposalState> {
  if (!isLive(state)) return fail('already_resolved', `The proposal is ${state} already.`);
  switch (event.kind) {
    case 'prove':
      return state === 'open' ? ok('open') : fail('conflict', 'The proposal is signed already, with the proof that it has.');
    case 'sign':
      return ok('signed');
    case 'apply':
      if (state === 'open' || event.counted < event.needed) {
        return fail('policy_signers_too_few', `${state === 'open' ? 0 : event.counted} of ${event.needed} needed owners have signed the proposal.`);
      }
      return ok('applied');
    case 'reject':
      return ok('rejected');
    case 'withdraw':
      return ok('withdrawn');
    case 'outdate':
      return ok('stale');
  }
}
