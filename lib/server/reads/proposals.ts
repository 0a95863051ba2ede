import { z } from 'zod';

import { proposalQuery } from '@/lib/contracts/console/proposals';
import { proposalDetail } from '@/lib/services/proposals/views/proposal-detail';
import { proposalsView } from '@/lib/services/proposals/views/proposals-view';
import { ok } from '@/lib/shared/result';

import { defineRead } from '../define-read';

export const proposalsRead = defineRead({
  permission: 'policy.view',
  input: z.strictObject({}),
  handler: async ({ parts }) => ok(await proposalsView(parts)),
});

export const proposalRead = defineRead({
  permission: 'policy.view',
  input: proposalQuery,
  handler: ({ parts, viewer }, { id }) => proposalDetail(parts, viewer, id),
});

export const readProposals = () => proposalsRead.read({});
export const readProposal = proposalRead.read;
