import type { ProofProgress, ProofSoFar, ProofWork } from '@/lib/services/proof/proof-work';
import type { ShadowStep, ShadowWork } from '@/lib/services/proof/shadow-step';
import type { Suggestion, SuggestWork } from '@/lib/services/proof/suggest/find-suggestions';
import type { PolicyProof } from '@/lib/policy/proof';
import type { Fault, Result } from '@/lib/shared/result';

/** What both ends of a proof thread's port send: plain data of ours, copied by the runtime and so of the type it was. */
export type ToProofThread =
  | { readonly kind: 'prove'; readonly work: ProofWork }
  | { readonly kind: 'follow'; readonly work: ShadowWork }
  | { readonly kind: 'suggest'; readonly work: SuggestWork };

export type FromProofThread =
  | { readonly kind: 'progress'; readonly progress: ProofProgress }
  | { readonly kind: 'found'; readonly soFar: ProofSoFar }
  | { readonly kind: 'proved'; readonly result: Result<PolicyProof, SentFault> }
  | { readonly kind: 'followed'; readonly result: Result<ShadowStep, SentFault> }
  | { readonly kind: 'suggested'; readonly result: Result<readonly Suggestion[], SentFault> }
  | { readonly kind: 'failed'; readonly message: string };

/** Without its cause, which may be anything and does not travel. */
export type SentFault = Omit<Fault, 'cause'>;
