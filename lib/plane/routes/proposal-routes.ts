import { proposalView, proposeBody } from '@/lib/contracts/plane/proposals';

import { defineRoute, type Route } from '../define-route';
import { pathId } from '../path-id';

/** What agents may do about the policy: ask for a change, see what became of it, take it back. */
export const proposalRoutes: readonly Route[] = [
  defineRoute({
    method: 'POST',
    path: '/v1/proposals',
    credential: ['agent'],
    input: proposeBody,
    output: proposalView,
    summary: 'Proposes a change to the policy, or a grant for the asking agent; owners see it with its proof. Nothing changes by it.',
    status: 201,
    handler: (call, services) => services.proposals.propose(call.caller, call.body),
  }),
  defineRoute({
    method: 'GET',
    path: '/v1/proposals/:id',
    credential: ['agent'],
    output: proposalView,
    summary: 'A proposal of this agent as it stands; a rejected one says why.',
    handler: async (call, services) => {
      const id = pathId('proposal', call.params.id);
      return id.ok ? await services.proposals.read(call.caller, id.value) : id;
    },
  }),
  defineRoute({
    method: 'DELETE',
    path: '/v1/proposals/:id',
    credential: ['agent'],
    output: proposalView,
    summary: 'Withdraws a proposal of this agent; it stays readable.',
    handler: async (call, services) => {
      const id = pathId('proposal', call.params.id);
      return id.ok ? await services.proposals.withdraw(call.caller, id.value) : id;
    },
  }),
];
