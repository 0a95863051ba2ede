import { contextBody, contextView, messageBody, openSessionBody, sessionView } from '@/lib/contracts/plane/sessions';

import { defineRoute, type Route } from '../define-route';
import { idempotencyOf, pathId } from '../path-id';

export const sessionRoutes: readonly Route[] = [
  defineRoute({
    method: 'POST',
    path: '/v1/sessions',
    credential: ['orchestrator', 'agent'],
    input: openSessionBody,
    output: sessionView,
    summary: 'Opens a session for a human that the orchestrator is listed for; with `parent`, a child of it, which an agent may open under its own.',
    status: 201,
    handler: (call, services) => services.openSession(call.caller, call.body, idempotencyOf(call)),
  }),
  defineRoute({
    method: 'POST',
    path: '/v1/sessions/:id/messages',
    credential: ['orchestrator'],
    input: messageBody,
    output: sessionView,
    summary: 'Records a later message of the user.',
    handler: async (call, services) => {
      const id = pathId('session', call.params.id);
      return id.ok ? await services.recordMessage(call.caller, id.value, call.body) : id;
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/v1/sessions/:id/context',
    credential: ['orchestrator', 'information_point', 'enforcement_point'],
    input: contextBody,
    output: contextView,
    summary: 'Supplies attributes; deferred actions that they concern are decided again.',
    handler: async (call, services) => {
      const id = pathId('session', call.params.id);
      return id.ok ? await services.supplyContext(call.caller, id.value, call.body) : id;
    },
  }),
  defineRoute({
    method: 'DELETE',
    path: '/v1/sessions/:id',
    credential: ['orchestrator', 'agent'],
    output: sessionView,
    summary: 'Ends a session and its children; whatever waits in them is withdrawn. An agent ends children of its own sessions.',
    handler: async (call, services) => {
      const id = pathId('session', call.params.id);
      return id.ok ? await services.closeSession(call.caller, id.value) : id;
    },
  }),
];
