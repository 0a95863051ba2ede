'use server';

import { prepareGrantInput, prepareGrantProposalInput, revokeGrantInput, signGrantInput } from '@/lib/contracts/console/grants';
import { defineAction } from '@/lib/server/define-action';
import { prepareGrant as prepare } from '@/lib/services/grants/prepare-grant';
import { revokeGrant as revoke } from '@/lib/services/grants/revoke-grant';
import { signGrant as sign } from '@/lib/services/grants/sign-grant';

export const prepareGrant = defineAction({
  permission: 'grants.issue',
  input: prepareGrantInput,
  handler: ({ parts }, input) => prepare(parts, input),
});

/** The document that somebody asks owners to sign: it is proposed like any other text (`makeProposal`). */
export const prepareGrantProposal = defineAction({
  permission: 'policy.view',
  input: prepareGrantProposalInput,
  handler: ({ parts }, input) => prepare(parts, input),
});

export const signGrant = defineAction({
  permission: 'grants.issue',
  input: signGrantInput,
  handler: ({ parts, viewer }, input) => sign(parts, viewer.person, input),
});

export const revokeGrant = defineAction({
  permission: 'grants.revoke',
  input: revokeGrantInput,
  handler: ({ parts, viewer }, input) => revoke(parts, viewer.person, input),
});
