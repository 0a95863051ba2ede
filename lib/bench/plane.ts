import { startTemporaryPlane, type TemporaryPlane } from '@/lib/cli/temporary-plane';

import { startCerbos } from './cerbos';
import { drive, type Call, type Measured } from './drive';
import { benchPolicy } from './plane-policy';

const connectionCounts = [1, 16, 64] as const;
const sessionsPerConnection = 2;
const warmUpSeconds = 3;

/** What agents ask for, most of it plain: ten calls in turn. `labels` is what Cerbos has to be told. */
const mix = [
  { tool: 'notes', operation: 'write', parameters: { text: 'Remember to call the carrier about the delayed pallets.' } },
  { tool: 'database', operation: 'query', parameters: { query: 'SELECT id, state FROM orders WHERE week = 48 ORDER BY id' } },
  { tool: 'email', operation: 'send', parameters: { to: 'ann@harbor.example', subject: 'Pallets', body: 'They arrive on Thursday.' } },
  { tool: 'notes', operation: 'write', parameters: { text: 'Thursday: pallets.' } },
  { tool: 'database', operation: 'update', parameters: { table: 'orders', set: { state: 'late' }, where: 'week = 48', limit: 50 } },
  { tool: 'database', operation: 'query', parameters: { query: 'SELECT count(*) FROM orders' } },
  { tool: 'notes', operation: 'write', parameters: { text: 'Count again on Friday.' } },
  { tool: 'database', operation: 'drop', parameters: { database: 'production' } },
  { tool: 'email', operation: 'send', parameters: { to: 'bob@partner.example', subject: 'Pallets', body: 'They arrive on Thursday.' } },
  { tool: 'database', operation: 'query', parameters: { query: 'SELECT id FROM carriers' } },
] as const;

type Pair = { readonly plane: Measured; readonly cerbos: Measured; readonly ratio: number };

export type PlaneFigures = { readonly connections: Readonly<Record<string, Pair>> };

/**
 * Throughput and latency of deciding, side by side in one run: the plane (embedded PostgreSQL; every decision durable,
 * chained and signed) and a public policy server that writes an unsigned audit file. The two take turns, so that
 * whatever else the machine does falls on both.
 */
export async function benchPlane({ seconds = 10 }: { readonly seconds?: number } = {}): Promise<PlaneFigures> {
  const plane = await startTemporaryPlane({
    people: [
      { name: 'Owner', email: 'owner@harbor.example', roles: ['owner'], groups: ['approver'], passwordHash: null },
      { name: 'Requester', email: 'requester@harbor.example', roles: ['requester'], groups: [], passwordHash: null },
    ],
    policy: { text: benchPolicy(), format: 'yaml' },
    agents: [{ id: 'helper', role: 'assistant', scope: [], registeredBy: 'owner@harbor.example' }],
    vouching: [{ kind: 'orchestrator', subject: 'desk', scope: { humans: ['*'] } }],
  });
  try {
    return await compare(plane, seconds);
  } finally {
    await plane.stop();
  }
}

async function compare(plane: TemporaryPlane, seconds: number): Promise<PlaneFigures> {
  const cerbos = await startCerbos();
  try {
    const most = Math.max(...connectionCounts);
    const calls = await planeCalls(plane, most * sessionsPerConnection);
    const theirs = cerbosCalls(calls.length);
    await drive(plane.url, calls, most, warmUpSeconds);
    await drive(cerbos.url, theirs, most, warmUpSeconds);
    const figures: Record<string, Pair> = {};
    for (const connections of connectionCounts) {
      const [ours, other] = [await drive(plane.url, calls, connections, seconds), await drive(cerbos.url, theirs, connections, seconds)];
      figures[String(connections)] = { plane: ours, cerbos: other, ratio: Math.round((ours.rps / other.rps) * 100) / 100 };
    }
    return { connections: figures };
  } finally {
    await cerbos.stop();
  }
}

/** Each session's calls stand together in the list at the places that one connection is dealt. */
async function planeCalls(plane: TemporaryPlane, sessions: number): Promise<readonly Call[]> {
  const opened: string[] = [];
  for (let at = 0; at < sessions; at++) opened.push(await openSession(plane));
  const headers = { authorization: `Bearer ${plane.token('helper')}`, 'content-type': 'application/json' };
  return mix.flatMap(({ tool, operation, parameters }) =>
    opened.map((session) => ({ path: '/v1/actions', headers, body: JSON.stringify({ session, tool, operation, parameters }) })),
  );
}

async function openSession(plane: TemporaryPlane): Promise<string> {
  const response = await fetch(`${plane.url}/v1/sessions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${plane.token('desk')}`, 'content-type': 'application/json' },
    body: JSON.stringify({ human: 'requester@harbor.example', agent: 'helper', request: 'Sort out the delayed pallets of week 48 and tell Ann and Bob.' }),
  });
  const body: unknown = await response.json();
  if (typeof body === 'object' && body !== null && 'id' in body && typeof body.id === 'string') return body.id;
  throw new Error(`No session could be opened: ${JSON.stringify(body)}`);
}

function cerbosCalls(count: number): readonly Call[] {
  const headers = { 'content-type': 'application/json' };
  return Array.from({ length: count }, (_, at) => {
    const { tool, operation, parameters } = mix[Math.floor((at * mix.length) / count)] ?? mix[0];
    const attr = { ...parameters, labels: ['INTERNAL'], owner: 'requester@harbor.example' };
    const body = {
      requestId: `call-${String(at)}`,
      principal: { id: 'helper', roles: ['assistant'], attr: { email: 'requester@harbor.example' } },
      resources: [{ actions: [operation], resource: { kind: tool, id: String(at), attr } }],
    };
    return { path: '/api/check/resources', headers, body: JSON.stringify(body) };
  });
}
