import type { NextRequest } from 'next/server';

import { environment } from '@/lib/server/env';

export const dynamic = 'force-dynamic';

/**
 * Sends a caller on to the console's own name, with the path that the proxy hands over. It stands here because
 * Next makes a redirect of the proxy relative when the other name is the same machine's, and then it leads nowhere.
 */
export function GET(request: NextRequest): Response {
  const { origin } = new URL(environment().consoleUrl);
  const path = request.nextUrl.searchParams.get('path') ?? '/';
  return new Response(null, { status: 307, headers: { location: `${origin}${path.startsWith('/') ? path : '/'}`, 'cache-control': 'no-store' } });
}
