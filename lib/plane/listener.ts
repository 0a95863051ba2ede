import { createHash, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';

import findMyWay from 'find-my-way';

import type { Caller } from '@/lib/services/caller';
import type { PlaneServices } from '@/lib/services/plane-services';
import { errorCodes } from '@/lib/shared/error-codes';
import { fail, ok, type Fault, type Result } from '@/lib/shared/result';

import { issuesOf, type Route } from './define-route';
import { errorResponse } from './error-response';
import { describeApi } from './open-api';
import { readAnyText, readBody, type Body } from './read-body';
import { actionRoutes } from './routes/action-routes';
import { editRoutes } from './routes/edit-routes';
import { ledgerRoutes } from './routes/ledger-routes';
import { openRoutes } from './routes/open-routes';
import { proposalRoutes } from './routes/proposal-routes';
import { sessionRoutes } from './routes/session-routes';

export const planeRoutes: readonly Route[] = [...sessionRoutes, ...actionRoutes, ...ledgerRoutes, ...proposalRoutes, ...editRoutes, ...openRoutes];

/** Calls under way at most; beyond, the answer is 503, which every client takes for DENY. */
const maxCalls = 4096;

export type LogFault = (fault: unknown, context: { readonly request_id: string; readonly path: string }) => void;

/**
 * The agents' listener: plain HTTP on node:http. Everything unexpected ends in an error answer; nothing here decides,
 * so nothing here can allow.
 */
export function planeListener(services: PlaneServices, logFault: LogFault): Server {
  let underWay = 0;
  const answer = async (route: Route, params: Record<string, string | undefined>, request: IncomingMessage, response: ServerResponse) => {
    const requestId = randomUUID();
    if (underWay >= maxCalls) return sendFault(response, { code: 'overloaded', detail: `${maxCalls} calls are under way.` }, requestId);
    underWay++;
    try {
      const result = await serve(route, params, request, response, services);
      if (result.ok) return send(response, route.status, result.value, requestId, route.media);
      if (result.error.code === 'internal' || result.error.code === 'unavailable') logFault(result.error, { request_id: requestId, path: route.path });
      sendFault(response, result.error, requestId);
    } catch (cause) {
      logFault(cause, { request_id: requestId, path: route.path });
      sendFault(response, faultOf(cause), requestId);
    } finally {
      underWay--;
    }
  };
  const router = findMyWay({
    ignoreTrailingSlash: false,
    maxParamLength: 200,
    defaultRoute: (request, response) =>
      sendFault(response, { code: 'not_found', detail: `Nothing is at ${(request.url ?? '').slice(0, 200)}.`, fix: 'See /openapi.json.' }, randomUUID()),
  });
  for (const route of planeRoutes) {
    router.on(route.method, route.path, (request, response, params) => void answer(route, params, request, response));
  }
  const description = JSON.stringify(describeApi(planeRoutes));
  router.on('GET', '/openapi.json', (_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(description);
  });
  const server = createServer({ maxHeaderSize: 16 * 1024, requestTimeout: 30_000, headersTimeout: 10_000, keepAliveTimeout: 65_000 }, (request, response) => {
    router.lookup(request, response);
  });
  server.maxConnections = 8192;
  return server;
}

async function serve(
  route: Route,
  params: Record<string, string | undefined>,
  request: IncomingMessage,
  response: ServerResponse,
  services: PlaneServices,
): Promise<Result<unknown>> {
  const call = { params, query: queryOf(request), bodyDigest: '', idempotencyKey: null, body: undefined, signal: () => hangUpSignal(response) };
  if (route.credential === 'none') return await route.handle({ ...call, caller: null }, services);
  const caller = await callerOf(request, services);
  if (!caller.ok) return caller;
  const result = await serveCaller(route, caller.value, call, request, services);
  // Refusals are counted per credential: many of them are slowed down, and summed up in a receipt.
  if (!result.ok && isRefusal(result.error) && services.noteRefusal(caller.value, result.error.code)) {
    return fail('rate_limited', 'This credential has been refused too often in the last minute.', { fix: 'Wait a minute.' });
  }
  return result;
}

async function serveCaller(
  route: Route,
  caller: Caller,
  call: Omit<Parameters<Route['handle']>[0], 'caller'>,
  request: IncomingMessage,
  services: PlaneServices,
): Promise<Result<unknown>> {
  if (!route.credential.includes(caller.kind)) {
    return fail('forbidden', `A credential of the kind ${caller.kind} may not call ${route.method} ${route.path}.`);
  }
  const key = idempotencyKeyOf(request);
  if (!key.ok) return key;
  if (route.anyBody === true) return await route.handle({ ...call, caller, body: await readAnyText(request), idempotencyKey: key.value }, services);
  if (!route.input) return await route.handle({ ...call, caller, idempotencyKey: key.value }, services);
  const body = await readBody(request);
  if (!body.ok) return body;
  const parsed = route.input.safeParse(body.value.json);
  if (!parsed.success) {
    const issues = issuesOf(parsed.error);
    return fail('invalid_input', issues[0]?.message ?? 'The body does not fit.', { issues });
  }
  return await route.handle({ ...call, caller, body: parsed.data, idempotencyKey: key.value, bodyDigest: digestWhenNeeded(key.value, body.value) }, services);
}

const digestWhenNeeded = (key: string | null, body: Body): string => (key === null ? '' : createHash('sha256').update(body.bytes).digest('hex'));

/** Calls that were not the caller's to make. A conflict or a void permit is part of honest work, and has its own receipt. */
const refusedStatuses: ReadonlySet<number> = new Set([400, 403, 404, 405, 413]);
/** A permit that was used or has run out is refused once in honest work; again and again it only fills the log. */
const isRefusal = ({ code }: Fault): boolean => refusedStatuses.has(errorCodes[code].status) || code === 'permit_used' || code === 'permit_expired';

async function callerOf(request: IncomingMessage, services: PlaneServices): Promise<Result<Caller>> {
  const token = /^Bearer ([A-Za-z0-9_-]{20,200})$/.exec(request.headers.authorization ?? '')?.[1];
  if (token === undefined) return fail('unauthenticated', 'There is no bearer token.', { fix: 'Send "Authorization: Bearer …".' });
  return await services.authenticate(token);
}

function idempotencyKeyOf(request: IncomingMessage): Result<string | null> {
  const key = request.headers['idempotency-key'];
  if (key === undefined) return ok(null);
  if (typeof key === 'string' && /^[\x21-\x7e]{1,128}$/.test(key)) return ok(key);
  return fail('invalid_input', 'The Idempotency-Key is not 1 to 128 visible characters.');
}

function queryOf(request: IncomingMessage): URLSearchParams {
  const url = request.url ?? '';
  const at = url.indexOf('?');
  return new URLSearchParams(at < 0 ? '' : url.slice(at + 1));
}

/** Aborts when the caller hangs up, so that a long poll does not outlive its caller. */
function hangUpSignal(response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  response.once('close', () => controller.abort());
  return controller.signal;
}

function faultOf(cause: unknown): Fault {
  const name = cause instanceof Error ? cause.name : '';
  if (name === 'ClockSteppedBack') return { code: 'unavailable', detail: 'The database clock stepped back; everything is denied until it has caught up.', cause };
  if (name === 'KeyNotDelegated') return { code: 'service_key_not_delegated', detail: 'No key of this plane may sign at this position of the log. Nothing was recorded.', fix: 'Try again; if it stays so, an owner has to delegate the key in the trust root.', cause };
  return { code: 'unavailable', detail: 'The plane could not serve this. Nothing was allowed.', fix: 'Try again; treat it as DENY.', cause };
}

function sendFault(response: ServerResponse, fault: Fault, requestId: string): void {
  const { status, body } = errorResponse(fault, requestId);
  send(response, status, body, requestId);
}

function send(response: ServerResponse, status: number, body: unknown, requestId: string, media?: string): void {
  if (response.headersSent || response.destroyed) return;
  const bytes = Buffer.from(media === undefined ? JSON.stringify(body) : String(body));
  const headers: Record<string, string | number> = {
    'content-type': media ?? 'application/json',
    'content-length': bytes.length,
    'cache-control': 'no-store',
    'x-request-id': requestId,
  };
  // A body that was not read to its end cannot share its connection with a next call.
  if (!response.req.complete) headers.connection = 'close';
  response.writeHead(status, headers).end(bytes);
}
