import { randomBytes } from 'node:crypto';
import { NextResponse, type NextRequest } from 'next/server';

import { environment } from '@/lib/server/env';
import { judgeRequest } from '@/lib/server/judge-request';
import { securityHeaders } from '@/lib/server/security-headers';

/**
 * Before every page, route and action: the name it is called by, the nonce, and the headers. It protects no path: any
 * server action can be posted to any address, so each checks its caller itself.
 */
export function proxy(request: NextRequest): NextResponse {
  const { consoleUrl } = environment();
  const path = `${request.nextUrl.pathname}${request.nextUrl.search}`;
  const nonce = randomBytes(16).toString('base64');
  const headers = securityHeaders({ nonce, development: process.env.NODE_ENV === 'development', https: consoleUrl.startsWith('https:') });
  const verdict = judgeRequest(
    { method: request.method, host: request.headers.get('host'), path, fetchSite: request.headers.get('sec-fetch-site'), origin: request.headers.get('origin') },
    consoleUrl,
  );
  if (verdict.kind === 'refuse') return withHeaders(new NextResponse(`${verdict.why}\n`, { status: verdict.status }), headers);

  const forwarded = new Headers(request.headers);
  // Next takes the nonce for its own scripts from the policy among the request's headers; the layout reads the other two.
  forwarded.set('content-security-policy', headers['content-security-policy'] ?? '');
  forwarded.set('x-nonce', nonce);
  forwarded.set('x-path', path);
  // What server actions compare an Origin with; a caller could otherwise name it.
  forwarded.set('x-forwarded-host', new URL(consoleUrl).host);
  const passedOn = { headers: forwarded };
  if (verdict.kind === 'redirect') return withHeaders(NextResponse.rewrite(new URL(`/api/own-name?path=${encodeURIComponent(path)}`, request.url), { request: passedOn }), headers);
  return withHeaders(NextResponse.next({ request: passedOn }), headers);
}

function withHeaders(response: NextResponse, headers: Readonly<Record<string, string>>): NextResponse {
  for (const [name, value] of Object.entries(headers)) response.headers.set(name, value);
  return response;
}

/** Everything but the built files, which carry no data and are the same for everybody. */
export const config = { matcher: ['/((?!_next/static|_next/image).*)'] };
