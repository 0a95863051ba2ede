import { canonicalBytes } from '@/lib/shared/canonical-json';
import { signEnvelope, type Envelope, type Signer } from '@/lib/shared/dsse';
import type { Sha256 } from '@/lib/shared/encoding';

import { basisDigest } from './basis';
import type { HeldAction } from './held-action';
import { approvalView, renderer, viewDigest, viewLocale } from './view';
import { votePayloadType, voteSchema, type VoteStatement } from './vote';

export type VoteInput = Pick<VoteStatement, 'verdict' | 'checks' | 'nonce' | 'voter' | 'signed_at'> & { readonly reason?: string };

/** The statement of a vote on what is held, over the basis and the view that `held` gives. */
export const voteStatement = (held: HeldAction, input: VoteInput, sha256: Sha256): VoteStatement => ({
  schema: voteSchema,
  request: held.approval,
  basis_digest: basisDigest(held, sha256),
  view: { digest: viewDigest(approvalView(held), sha256), renderer, locale: viewLocale },
  ...input,
});

/** The exact bytes that the approver's key signs (inside the DSSE pre-authentication encoding). */
export const voteBytes = (statement: VoteStatement): Uint8Array => canonicalBytes({ ...statement });

export const signVote = (statement: VoteStatement, signer: Signer): Promise<Envelope> =>
  signEnvelope(votePayloadType, voteBytes(statement), [signer]);
