'use server';

import { makeProposalInput, prepareProposalInput } from '@/lib/contracts/console/proposals';
import { defineAction } from '@/lib/server/define-action';
import { makeProposal as make, prepareProposal as prepare } from '@/lib/services/proposals/make-proposal';

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
