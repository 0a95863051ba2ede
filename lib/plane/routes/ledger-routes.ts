import { credentialKinds } from '@/lib/ports/credential-store';

import { defineRoute, type Route } from '../define-route';

/** What every credential may read of the log: its own receipts, the latest checkpoint, the proof that joins them. */
export const ledgerRoutes: readonly Route[] = [
  defineRoute({
    method: 'GET',
    path: '/v1/receipts/:id',
    credential: credentialKinds,
    summary: 'A receipt of an action that the caller may see.',
    handler: (call, services) => services.readReceipt(call.caller, call.params.id ?? ''),
  }),
  defineRoute({
    method: 'GET',
    path: '/v1/log/checkpoint',
    credential: credentialKinds,
    summary: 'The latest signed tree head (C2SP checkpoint).',
    handler: (_call, services) => services.latestCheckpoint(),
  }),
  defineRoute({
    method: 'GET',
    path: '/v1/log/proof',
    credential: credentialKinds,
    summary: 'The inclusion proof of ?receipt=ID under the latest checkpoint.',
    handler: (call, services) => services.proveReceipt(call.caller, call.query.get('receipt') ?? ''),
  }),
];
