import type { NextRequest } from 'next/server';

import { openEventStream } from '@/lib/server/event-stream';
import { getClaims, getViewer } from '@/lib/server/get-viewer';
import { runtimeOrFault } from '@/lib/server/runtime-or-fault';
import { faultResponse } from '@/lib/server/shown-fault';

export const dynamic = 'force-dynamic';

/** Server-sent events: ids of what changed, as far as the viewer may see. */
export async function GET(request: NextRequest): Promise<Response> {
  const runtime = await runtimeOrFault();
  if (!runtime.ok) return faultResponse(runtime.error);
  const [claims, viewer] = [await getClaims(), await getViewer()];
  if (!claims || !viewer) return faultResponse({ code: 'sign_in_needed', detail: 'Your session has ended, or there was none.' });
  const stream = openEventStream(runtime.value, { claims, viewer, signal: request.signal });
  if (!stream.ok) return faultResponse(stream.error);
  return new Response(stream.value, {
    headers: { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-store, no-transform', 'x-accel-buffering': 'no' },
  });
}
