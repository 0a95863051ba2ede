import { checkpointView, consistencyView, inclusionView } from '@/lib/contracts/plane/log';
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
    output: checkpointView,
    summary: 'The latest signed tree head (C2SP checkpoint).',
    handler: (_call, services) => services.latestCheckpoint(),
  }),
  defineRoute({
    method: 'GET',
    path: '/v1/log/proof',
    credential: credentialKinds,
    output: inclusionView,
    summary: 'The inclusion proof of ?receipt=ID under the smallest checkpoint that covers it (C2SP tlog-proof).',
    handler: (call, services) => services.proveReceipt(call.caller, call.query.get('receipt') ?? ''),
  }),
  defineRoute({
    method: 'GET',
    path: '/v1/log/consistency',
    credential: credentialKinds,
    output: consistencyView,
    summary: 'The proof that the log goes on from its first ?from=SIZE receipts (RFC 6962), up to the smallest checkpoint that covers &to=SIZE; without it, the newest.',
    handler: (call, services) => services.proveGrowth(sizeOf(call.query.get('from')) ?? Number.NaN, sizeOf(call.query.get('to'))),
  }),
  defineRoute({
    method: 'GET',
    path: '/metrics',
    credential: credentialKinds,
    media: 'text/plain; version=0.0.4; charset=utf-8',
    summary: 'How far the log and its checkpoints have got, for Prometheus.',
    handler: (_call, services) => services.metrics(),
  }),
];

/** A size as it stands in an address: digits and nothing else. What is there and no size is not a number, and refused. */
const sizeOf = (text: string | null): number | undefined => (text === null ? undefined : /^(?:0|[1-9][0-9]{0,15})$/.test(text) ? Number(text) : Number.NaN);
