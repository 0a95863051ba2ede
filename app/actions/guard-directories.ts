'use server';

import { prepareGuardSigningInput, rejectGuardProposalInput, signGuardProposalInput } from '@/lib/contracts/console/guard-directories';
import { defineAction } from '@/lib/server/define-action';
import { prepareGuardSigning as prepare, rejectGuardProposal as reject, signGuardProposal as sign } from '@/lib/services/guard-directories/sign-guard-proposal';

export const prepareGuardSigning = defineAction({
  permission: 'policy.sign',
  input: prepareGuardSigningInput,
  handler: ({ parts, viewer }, { proposal }) => prepare(parts, viewer, proposal),
});

export const signGuardProposal = defineAction({
  permission: 'policy.sign',
  input: signGuardProposalInput,
  handler: ({ parts, viewer }, { proposal, statement, application }) => sign(parts, viewer, proposal, statement, application),
});

export const rejectGuardProposal = defineAction({
  permission: 'policy.apply',
  input: rejectGuardProposalInput,
  handler: ({ parts, viewer }, { proposal, reason }) => reject(parts, viewer, proposal, reason),
});
