import type { NextRequest } from 'next/server';
import NextAuth from 'next-auth';

import { faultResponse } from '@/lib/server/shown-fault';
import { runtimeOrFault } from '@/lib/server/runtime-or-fault';

type Context = { readonly params: Promise<{ readonly nextauth: string[] }> };
type Handler = (request: NextRequest, context: Context) => Promise<Response>;

/** The options need the database, which is joined at the first request, not while this module is loaded. */
async function handler(request: NextRequest, context: Context): Promise<Response> {
  const runtime = await runtimeOrFault();
  if (!runtime.ok) return faultResponse(runtime.error);
  // eslint-disable-next-line @typescript-eslint/no-unsafe-assignment -- next-auth declares its handler as `any`.
  const nextAuth: Handler = NextAuth(runtime.value.auth);
  return await nextAuth(request, context);
}

export { handler as GET, handler as POST };
