import { actionView, batchBody, batchView, outcomeBody, outcomeView, proposeActionBody, redeemView } from '@/lib/contracts/plane/actions';
import { bounds } from '@/lib/shared/bounds';
import { fail } from '@/lib/shared/result';

import { defineRoute, type Route } from '../define-route';
import { idempotencyOf, pathId } from '../path-id';

export const actionRoutes: readonly Route[] = [
  defineRoute({
    method: 'POST',
    path: '/v1/actions',
    credential: ['agent'],
    input: proposeActionBody,
    output: actionView,
    summary: 'Proposes an action and answers what policy decides.',
    handler: (call, services) => services.proposeAction(call.caller, call.body, idempotencyOf(call)),
  }),
  defineRoute({
    // The two colons of find-my-way stand for one that is meant.
    method: 'POST',
    path: '/v1/actions::batch',
    credential: ['agent'],
    input: batchBody,
    output: batchView,
    summary: 'Proposes actions in order; earlier ones are prior actions of later ones. A fault stops the rest: each is denied as pipeline_stopped.',
    handler: (call, services) => services.proposeBatch(call.caller, call.body),
  }),
  defineRoute({
    method: 'GET',
    path: '/v1/actions/:id',
    credential: ['agent', 'enforcement_point'],
    output: actionView,
    summary: 'The action as it stands; with ?wait=SECONDS waits while it is held or deferred.',
    handler: async (call, services) => {
      const id = pathId('action', call.params.id);
      if (!id.ok) return id;
      const wait = call.query.get('wait');
      if (wait === null) return await services.readAction(call.caller, id.value);
      const seconds = Number(wait);
      if (!/^\d{1,3}$/.test(wait) || seconds > bounds.longPollSeconds) {
        return fail('invalid_input', `wait is ${JSON.stringify(wait.slice(0, 20))}.`, { fix: `Give whole seconds, at most ${bounds.longPollSeconds}.` });
      }
      return await services.waitForAction(call.caller, id.value, seconds, call.signal());
    },
  }),
  defineRoute({
    method: 'DELETE',
    path: '/v1/actions/:id',
    credential: ['agent'],
    output: actionView,
    summary: 'Withdraws an action that has not run.',
    handler: async (call, services) => {
      const id = pathId('action', call.params.id);
      return id.ok ? await services.withdrawAction(call.caller, id.value) : id;
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/v1/permits/:id/redeem',
    credential: ['agent', 'enforcement_point'],
    output: redeemView,
    summary: 'Uses a permit, once: the answer is exactly what may run.',
    handler: async (call, services) => {
      const id = pathId('permit', call.params.id);
      return id.ok ? await services.redeemPermit(call.caller, id.value) : id;
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/v1/actions/:id/outcome',
    credential: ['agent', 'enforcement_point'],
    input: outcomeBody,
    output: outcomeView,
    summary: 'Reports what happened; the answer is the output as the agent may see it.',
    handler: async (call, services) => {
      const id = pathId('action', call.params.id);
      return id.ok ? await services.reportOutcome(call.caller, id.value, call.body) : id;
    },
  }),
];
