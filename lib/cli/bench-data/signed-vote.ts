import { votePayloadType, voteSchema } from '@/lib/approvals/vote';
import type { ReceiptBodyOf } from '@/lib/services/sign-receipt';
import { canonicalJson } from '@/lib/shared/canonical-json';
import { signEnvelope } from '@/lib/shared/dsse';
import { utf8 } from '@/lib/shared/encoding';
import type { ApprovalId, Digest } from '@/lib/shared/ids';

import type { StoryPeople } from './story-world';

type Voted = ReceiptBodyOf<'approval_voted'>;

/** An approval as a person's key signs it. */
export async function signedVote(
  { person, key, signer }: StoryPeople['approver'],
  on: { readonly approval: ApprovalId; readonly action: Voted['action']; readonly basis_digest: Digest; readonly view_digest: Digest; readonly signed_at: string; readonly nonce: string },
): Promise<Voted> {
  const { approval, action, basis_digest, view_digest, signed_at, nonce } = on;
  const statement = canonicalJson({
    schema: voteSchema, request: approval, basis_digest, view: { digest: view_digest, renderer: '1', locale: 'en' }, verdict: 'approve', checks: [], nonce,
    voter: { person, key: key.id, key_kind: key.kind }, signed_at,
  });
  const envelope = await signEnvelope(votePayloadType, utf8(statement), [signer]);
  return { approval, action, person, verdict: 'approve', basis_digest, view_digest, statement, envelope, key: { id: key.id, kind: key.kind } };
}
