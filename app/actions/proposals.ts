'use server';

import {
  applyProposalInput, makeProposalInput, orderProposalsInput, prepareProposalInput, prepareSigningInput, rebaseProposalInput, rejectProposalInput,
  signProposalsInput, withdrawProposalInput,
} from '@/lib/contracts/console/proposals';
import { defineAction } from '@/lib/server/define-action';
import { applyProposal as apply } from '@/lib/services/proposals/apply-proposal';
import { rejectProposal as reject, withdrawProposal as withdraw } from '@/lib/services/proposals/end-proposal';
import { makeProposal as make, prepareProposal as prepare } from '@/lib/services/proposals/make-proposal';
import { prepareSigning as prepareToSign } from '@/lib/services/proposals/prepare-signing';
import { orderProposals as order, rebaseProposal as rebase } from '@/lib/services/proposals/rebase-proposal';
import { signProposals as sign } from '@/lib/services/proposals/sign-proposals';

export const prepareProposal = defineAction({
  permission: 'policy.propose',
  input: prepareProposalInput,
  handler: ({ parts, viewer }, input) => prepare(parts, viewer, input),
});

export const makeProposal = defineAction({
  permission: 'policy.propose',
  input: makeProposalInput,
  handler: ({ parts, viewer }, input) => make(parts, viewer, input),
});

export const withdrawProposal = defineAction({
  permission: 'policy.propose',
  input: withdrawProposalInput,
  handler: ({ parts, viewer }, { proposal }) => withdraw(parts, { kind: 'person', id: viewer.person }, proposal),
});

export const rejectProposal = defineAction({
  permission: 'policy.sign',
  input: rejectProposalInput,
  handler: ({ parts, viewer }, { proposal, reason }) => reject(parts, { kind: 'person', id: viewer.person }, proposal, reason),
});

export const rebaseProposal = defineAction({
  permission: 'policy.draft',
  input: rebaseProposalInput,
  handler: ({ parts }, { proposal }) => rebase(parts, proposal),
});

export const orderProposals = defineAction({
  permission: 'policy.sign',
  input: orderProposalsInput,
  handler: ({ parts }, { proposals }) => order(parts, proposals),
});

export const prepareSigning = defineAction({
  permission: 'policy.sign',
  input: prepareSigningInput,
  handler: ({ parts, viewer }, { proposals }) => prepareToSign(parts, viewer, proposals),
});

export const signProposals = defineAction({
  permission: 'policy.sign',
  input: signProposalsInput,
  handler: ({ parts, viewer }, input) => sign(parts, viewer, input),
});

export const applyProposal = defineAction({
  permission: 'policy.apply',
  input: applyProposalInput,
  handler: ({ parts, viewer }, { proposal }) => apply(parts, { kind: 'person', id: viewer.person }, proposal),
});
